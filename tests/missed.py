"""Rows that should hold and do not yet: they held before the scorers were last fitted, which read unseen writers better
and these worse. Each stands with the test it belongs to. One that holds again fails its test until it is taken out."""

MISSED = frozenset(
    {
        (
            "test_what_an_answer_is_a_value_of_is_what_question_and_words_speak_for",
            "('Откуда пишете?', 'из Кемерово', 'home')",
        ),
        (
            "only_what_is_asserted_is_learned",
            "('general', 'I hate olives // kidding, I love olives', '+olives -not_olives')",
        ),
        (
            "only_what_is_asserted_is_learned",
            "('copilot_cli', 'I hate olives // kidding, I love olives', '+olives -not_olives')",
        ),
        (
            "test_of_values_that_exclude_each_other_the_newest_holds",
            "([\"I'm a smoker\", 'I quit smoking'], 'smoking', ['I quit smoking'], [\"I'm a smoker\"])",
        ),
        (
            "test_of_values_that_exclude_each_other_the_newest_holds",
            "(['Yo fumo', 'Ya no fumo'], 'smoking', ['Ya no fumo'], ['Yo fumo'])",
        ),
        ("test_what_is_told_with_others_is_the_speakers_own", "('But no shellfish, I swell up', 'diet')"),
        (
            "test_one_value_is_current",
            "(['use cargo', 'we no longer use cargo but bun'], 'tooling/package_manager', ['bun'], 'CHANGES')",
        ),
        ("test_no_value_is_current", "(['deadline is Friday', \"there's no deadline anymore\"], 'deadline')"),
        ("test_no_value_is_current", "(['npm, not working'], 'tooling/package_manager')"),
        ("test_no_value_is_current", "(['npm no funciona'], 'tooling/package_manager')"),
        ("test_no_value_is_current", "(['replace tabs with spaces in this function'], 'style/indentation')"),
        (
            "test_what_a_person_says_on_several_lines_is_learned",
            "(\"question: where to eat?\\nI live in Cork\\nI'm vegan\", ['Cork', 'vegan'])",
        ),
        ("test_a_statement_becomes_a_keyed_item", "('Never commit to main', ('style', 'Never commit to main'))"),
        (
            "test_a_second_statement_supersedes_with_the_right_relation",
            "('I prefer jest', 'Vitest would be better', 'tooling/test_framework', 'CHANGES')",
        ),
        ("only_what_is_asserted_is_learned", "('copilot_cli', 'если честно, я живу в Химках', '+Химк')"),
        (
            "test_one_value_is_current",
            "(['Я джуниор-разработчик', 'Теперь я сеньор-разработчик'], 'role', ['сеньор-разработчик'], 'CHANGES')",
        ),
        ("test_a_statement_becomes_a_keyed_item", "('presenting tomorrow', ('event', 'Presentation on tomorrow'))"),
        ("test_a_statement_becomes_a_keyed_item", "('use foobar please', ('style', 'use foobar please'))"),
    }
)

SINGLE = frozenset(
    {
        "test_what_was_meant_corrects_a_value_of_its_kind[Я использую Vim-Я имел в виду Neovim-tooling/editor-Neovim]",
        "test_what_is_no_state_of_the_speaker_changes_none[I smoke salmon every week]",
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[Is this for a class?-yeah second year econ at UNSW, midterm's on the 14th of april-note-midterm's on the 14th of april]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[-каждую субботу пою в хоре «Заря»-habit-каждую субботу пою в хоре «Заря»]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[What's the deadline?-hand in is july 1-deadline-hand in is july 1]",  # noqa: E501
        'test_what_is_told_beside_a_question_or_in_an_answer_is_kept[-canto todos los sábados en el coro "La Alondra"-hobby-canto todos los sábados en el coro "La Alondra"]',  # noqa: E501
        "test_what_is_asked_supposed_or_told_of_others_is_not_learned[Meine Schwester wohnt in Berlin.]",
        "test_what_a_message_puts_right_itself_is_on_record_with_the_words_as_they_were_said[big into pottery, no sorry, ceramics, every weekend-big into ceramics, every weekend-big into pottery, no sorry, ceramics, every weekend]",  # noqa: E501
    }
)
"""The same of tests that are run one by one, by their names."""
