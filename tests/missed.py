"""Rows that should hold and do not yet: they held before the scorers were last fitted, which read unseen writers better
and these worse. Each stands with the test it belongs to. One that holds again fails its test until it is taken out."""

MISSED = frozenset(
    {
        ("test_a_browse_follow_up_goes_to_the_planner_with_its_hint", "'el más barato|choose'"),
        (
            "test_what_an_answer_is_a_value_of_is_what_question_and_words_speak_for",
            "('Откуда пишете?', 'из Кемерово', 'home')",
        ),
        (
            "test_one_value_is_current",
            "(['use cargo', 'we no longer use cargo but bun'], 'tooling/package_manager', ['bun'], 'CHANGES')",
        ),
        ("test_no_value_is_current", "(['npm, not working'], 'tooling/package_manager')"),
        ("test_no_value_is_current", "(['I use Vim', \"I've given up on Vim\"], 'tooling/editor')"),
        ("test_no_value_is_current", "(['npm no funciona'], 'tooling/package_manager')"),
        (
            "test_a_second_statement_supersedes_with_the_right_relation",
            "('I prefer jest', 'Vitest would be better', 'tooling/test_framework', 'CHANGES')",
        ),
        (
            "test_one_value_is_current",
            "(['Я джуниор-разработчик', 'Теперь я сеньор-разработчик'], 'role', ['сеньор-разработчик'], 'CHANGES')",
        ),
        ("test_a_statement_becomes_a_keyed_item", "('use foobar please', ('style', 'use foobar please'))"),
        (
            "test_one_value_is_current",
            "(['I prefer functional style', 'object-oriented is what I prefer now'], 'style/paradigm', "
            "['object-oriented'], 'CHANGES')",
        ),
        (
            "test_what_stands_in_brackets_stays_with_its_thing",
            "('два жильца: Вера (мансарда, платит по пятницам), Отто (подвал)', 'Вера (мансарда, платит по пятницам)')",
        ),
        ("test_a_statement_becomes_a_keyed_item", "('presentación el viernes', ('event', 'Presentación: viernes'))"),
        ("test_a_statement_becomes_a_keyed_item", "('presenting tomorrow', ('event', 'Presentation on tomorrow'))"),
        ("only_what_is_asserted_is_learned", "('general', 'I work with kids', '0')"),
        ("only_what_is_asserted_is_learned", "('copilot_cli', 'I work with kids', '0')"),
        ("test_one_value_is_current", "(['I think I prefer yarn'], 'tooling/package_manager', ['yarn'], None)"),
        ("test_the_desk_reads_the_intent_and_keeps_or_closes_the_step", "['ok, and now?', 'FLOW_QUESTION', True]"),
        ("is_understood", "{'said': ['agent: @a list of four', 'do you have more options'], 'points_at': []}"),
        (
            "is_understood",
            "{'said': ['sushi in reno', 'no sushi, I had that yesterday. ramen'], 'search_query': 'ramen'}",
        ),
        ("is_understood", "{'said': ['gelato', 'who invented pizza?'], 'search_query': 'gelato'}"),
        (
            "is_understood",
            "{'said': ['hotel en cádiz cerca de la playa'], 'location': 'cádiz', 'constraints': 'cerca de la playa'}",
        ),
        # a street in small letters, which no preposition of a town tells from a word
        ("is_understood", "{'said': ['бар возле площади восстания'], 'location': 'площади восстания'}"),
        # a part of a name within the words that describe another
        (
            "is_understood",
            "{'said': ['tacos en lima', 'agent: Dos:\\n1. La Mar – Miraflores\\n2. Cala – Barranco, frente al mar', "
            "'me gusta la que está frente al mar'], 'points_at': ['Cala']}",
        ),
        (
            "test_a_short_reply_answers_the_newest_question_that_it_can",
            "('general', 'A: 1. Which job?\\\\n2. Which company?\\\\n3. How many years? // 1) designer 2) Acme "
            "3) 6', '+Which_job?_designer +company?_Acme +years?_6')",
        ),
        (
            "test_a_short_reply_answers_the_newest_question_that_it_can",
            "('general', 'A: Would you like me to show how to:\\\\na) test it\\\\nb) limit it\\\\nc) store it // "
            "b and c', '+limit_it,_store_it')",
        ),
        ("test_a_question_is_told_without_what_leads_up_to_it", "('Pick one:\\na) Red\\nb) Green', ['Pick one?'])"),
        (
            "test_a_question_is_told_without_what_leads_up_to_it",
            "('¿Quieres que te explique cómo:\\na) leerlo\\nb) crearlo?', ['¿Quieres que te explique cómo?'])",
        ),
        (
            "test_options_stand_in_a_question_beside_it_or_in_its_list",
            "('Хотите, я покажу, как:\\nа) записать\\nб) стереть', ('записать', 'стереть'))",
        ),
        (
            "test_options_stand_in_a_question_beside_it_or_in_its_list",
            "('What do you need?\\n- How many?\\n- Which size?', ())",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('When was the plague no who fought in the great war?', 'Who fought in the great war?')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('Which bird sings the best of all, no sorry, which fish?', 'which fish sings the best of all?')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('Where is the museum no scratch this and tell me when does it open?', 'when does it open?')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('From where do they sail, I mean how many boats do they have?', 'how many boats do they have?')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('Find a lower rate of interest actually a lower rate of tax', 'Find a lower rate of tax')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('When did the flood end no sorry the famine rather?', 'When did the famine?')",
        ),
        (
            "test_the_message_as_meant_is_without_the_false_start",
            "('Who opens What opens the door?', 'What opens the door?')",
        ),
        ("test_words_that_happen_to_be_names_of_libraries_ask_for_none", "'move it to Cairo'"),
        ("test_words_that_happen_to_be_names_of_libraries_ask_for_none", "'move them to Cairo, the capital'"),
        ("test_words_that_happen_to_be_names_of_libraries_ask_for_none", "'we should move to Cairo'"),
        ("is_understood", "{'said': ['Phoenix brunch'], 'location': 'phoenix', 'canonical': 'Phoenix'}"),
        (
            "is_understood",
            "{'said': ['такос в туле', 'agent: @trio', 'подойдет любой'], 'points_at': ['Aster', 'Birch "
            "Room', 'Cedar & Sons']}",
        ),
        (
            "is_understood",
            "{'said': ['agent: @a list of four', 'everything but the french one'], 'points_at': ['Suraya', "
            "'Kalaya', 'Pizzeria Stella']}",
        ),
        (
            "is_understood",
            "{'said': ['agent: @three in Moscow', 'все кроме первого'], 'points_at': ['Хачапури и вино', 'Марукамэ']}",
        ),
        (
            "is_understood",
            "{'said': ['agent: @three in Madrid', 'todos menos el primero'], 'points_at': ['Sala de "
            "Despiece', 'Yakitoro']}",
        ),
        (
            "is_understood",
            "{'said': ['agent: @a list of four', 'all except laurel'], 'points_at': ['Suraya', 'Kalaya', "
            "'Pizzeria Stella']}",
        ),
    }
)

SINGLE = frozenset(
    {
        "test_a_time_is_nobodys_employer",
        "test_what_lessons_cost_is_no_budget_and_rises_by_itself",
        "test_a_model_reads_what_may_tell_something_and_was_not_read[У меня есть горн-True]",
        "test_an_answer_is_a_fact_of_its_question_and_of_nothing_else",
        "test_a_wish_that_the_table_does_not_know_is_admitted_and_hides_nothing[un bar en madrid con futbolín-Si encajan con «futbolín», no lo sé.]",  # noqa: E501
        "test_what_is_told_before_the_speaker_joins_in_is_told_of_others[mi hermana Ana me ayuda mucho-kept1]",
        "test_what_is_found_goes_under_what_it_is_a_value_of[i'm on the refunds team at Nordwick-facts8]",
        "test_what_was_meant_corrects_a_value_of_its_kind[I use Vim-sorry, I meant Lapce-tooling/editor-Lapce]",
        "test_what_is_told_before_the_speaker_joins_in_is_told_of_others[Mi padre es médico y yo lo admiro-kept0]",
        "test_a_wish_without_a_place_is_asked_where_and_picked_up_again[Quiero tacos de pescado-¿Dónde?-Sevilla-Entonces, volvamos a «Quiero tacos de pescado».]",  # noqa: E501
        "test_what_was_meant_corrects_a_value_of_its_kind[Я использую Vim-Я имел в виду Neovim-tooling/editor-Neovim]",
        "test_what_is_no_state_of_the_speaker_changes_none[I smoke salmon every week]",
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[Is this for a class?-yeah second year econ at UNSW, midterm's on the 14th of april-note-midterm's on the 14th of april]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[-каждую субботу пою в хоре «Заря»-habit-каждую субботу пою в хоре «Заря»]",  # noqa: E501
        "test_what_is_told_beside_a_question_or_in_an_answer_is_kept[What's the deadline?-hand in is july 1-deadline-hand in is july 1]",  # noqa: E501
        "test_coming_back_is_told_as_coming_back",  # by "tickets", a word of several fields
        "test_where_something_of_the_project_is_is_a_fact_of_its_own[logs go to /var/log/shop on the box-logs-/var/log/shop]",  # noqa: E501
        "test_what_a_message_puts_right_itself_is_on_record_with_the_words_as_they_were_said[big into pottery, no sorry, ceramics, every weekend-big into ceramics, every weekend-big into pottery, no sorry, ceramics, every weekend]",  # noqa: E501
        "test_bold_names_in_the_middle_of_talk_are_names_and_what_is_stressed_is_not[There are two: **Luigi's** (Italian) and **Sakura** (Japanese).-expected1]",  # noqa: E501
        "test_names_are_read_from_plain_sentences[Te recomiendo Casa Lucio o Botín en el centro.-names2]",
        # told in few words, of which too little says that they are to be kept
        "test_a_clause_that_points_at_what_stands_before_it_is_kept_with_it",
        "test_what_is_chosen_in_the_place_of_something_ends_it[we picked kafka for the event bus-kafka is overkill, nats will do-now0]",  # noqa: E501
        "test_a_sentence_kept_beside_a_value_goes_with_it[для ночных регрессий у нас используется mocha-мы перешли с mocha на vitest-mocha]",  # noqa: E501
        "test_another_value_of_a_thing_leaves_what_is_known_of_others[callums is 18.50 a month and tillys is 12-his is 23 a month as of now-callums is 23 a month-tillys is 12]",  # noqa: E501
        "test_a_value_of_another_thing_takes_no_place[dilan joins monday-the release slipped, its 5 december now-dilan joins monday]",  # noqa: E501
        "test_a_value_of_another_thing_takes_no_place[кухонная посуда от бабушки в коробке 3-книги намокли, они теперь в коробке 5-кухонная посуда от бабушки в коробке 3]",  # noqa: E501
        # a decision stands beside the tool that was told before it
        "test_a_decision_and_a_tool_about_one_thing_meet[we use npm in this repo-we decided to go with pnpm-left2]",
        "test_another_library_is_asked_for_in_any_order_known_or_not[use skia instead-skia]",
        "test_another_library_is_asked_for_in_any_order_known_or_not[use graphiq for it-graphiq]",
        "test_another_library_is_asked_for_in_any_order_known_or_not[try plotzilla for this please-plotzilla]",
    }
)
"""The same of tests that are run one by one, by their names."""
