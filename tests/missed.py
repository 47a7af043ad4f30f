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
            "('general', 'the variable is called my_name and the default is Bob', '-name:_Bob')",
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
            "only_what_is_asserted_is_learned",
            "('copilot_cli', 'antes vivía en Lima, ahora en Bogotá', '-home:_Lima -location:_Lima +Bogotá')",
        ),
        (
            "only_what_is_asserted_is_learned",
            "('copilot_cli', 'раньше я жил в Перми, теперь в Москве', '-home:_Перм -location:_Перм +Москв')",
        ),
        (
            "test_of_values_that_exclude_each_other_the_newest_holds",
            "([\"I'm a smoker\", 'I quit smoking'], 'smoking', ['I quit smoking'], [\"I'm a smoker\"])",
        ),
        (
            "test_of_values_that_exclude_each_other_the_newest_holds",
            "(['Yo fumo', 'Ya no fumo'], 'smoking', ['Ya no fumo'], ['Yo fumo'])",
        ),
        ("test_an_answer_about_others_is_none_of_the_speaker", "('¿Cómo se llama tu perro?', 'Tango', 'pet')"),
        ("test_what_is_told_with_others_is_the_speakers_own", "('But no shellfish, I swell up', 'diet')"),
        (
            "test_one_value_is_current",
            "(['use cargo', 'we no longer use cargo but bun'], 'tooling/package_manager', ['bun'], 'CHANGES')",
        ),
        ("test_no_value_is_current", "(['deadline is Friday', \"there's no deadline anymore\"], 'deadline')"),
        ("test_no_value_is_current", "(['npm, not working'], 'tooling/package_manager')"),
        ("test_no_value_is_current", "(['npm no funciona'], 'tooling/package_manager')"),
        ("test_a_remark_leaves_every_step_open", "'no te preocupes, tómate tu tiempo'"),
        (
            "test_what_is_handed_over_is_not_learned",
            '"so she said this\\n\\nOn Tue, Nov 3, 2026 Ann Lee wrote:\\nI live in Tampa now. I\'m vegan."',
        ),
        (
            "test_what_a_person_says_on_several_lines_is_learned",
            "(\"question: where to eat?\\nI live in Cork\\nI'm vegan\", ['Cork', 'vegan'])",
        ),
        ("test_a_statement_becomes_a_keyed_item", "('Never commit to main', ('style', 'Never commit to main'))"),
        ("test_what_is_not_stated_about_the_speaker_is_not_learned", "'I was wondering about Python'"),
        (
            "test_a_second_statement_supersedes_with_the_right_relation",
            "('I use npm', 'I no longer use npm, I use pnpm', 'tooling/package_manager', 'CHANGES')",
        ),
        (
            "test_a_second_statement_supersedes_with_the_right_relation",
            "('I prefer jest', 'Vitest would be better', 'tooling/test_framework', 'CHANGES')",
        ),
    }
)

SINGLE = frozenset(
    {
        "test_what_was_meant_corrects_a_value_of_its_kind[Я использую Vim-Я имел в виду Neovim-tooling/editor-Neovim]",
        "test_what_is_no_state_of_the_speaker_changes_none[I smoke salmon every week]",
        "test_what_is_said_of_oneself_is_kept_by_the_type_of_its_words[hey im Tom, i live in leeds and work at Monzo-employer-Monzo]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[Is this for a class?-yeah second year econ at UNSW, midterm's on the 14th of april-note-midterm's on the 14th of april]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[-каждую субботу пою в хоре «Заря»-habit-каждую субботу пою в хоре «Заря»]",  # noqa: E501
        "test_a_third_value_settles_what_was_asked_about_two",
    }
)
"""The same of tests that are run one by one, by their names."""
