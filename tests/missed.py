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
        # rules that no talk of writers kept out of training needed, and that earned nothing there
        (
            "test_a_question_is_answered_by_a_figure_or_by_a_warning",
            "('ru', 'сколько должно быть на массе?', '0-1 Ом')",
        ),
        ("test_a_real_answer_closes_every_step", "'huele a gas'"),
        ("test_a_result_in_any_words_closes_the_step", "['ic_7', 'microwave and AC both on it']"),
        (
            "test_an_edit_changes_the_lines_that_it_names",
            "['en', \"I'd rather it said clogged than filthy\", 'filthy', 'clogged']",
        ),
        (
            "test_an_edit_changes_the_lines_that_it_names",
            "['en', \"fan blade isn't bent, it's cracked\", 'bent', 'cracked']",
        ),
        (
            "test_an_edit_changes_the_lines_that_it_names",
            "['en', \"shorten it, no codes line isn't needed\", 'no codes']",
        ),
        (
            "test_an_edit_changes_the_lines_that_it_names",
            "['en', 'contacts were burnt not pitted', 'contacts pitted', 'burnt']",
        ),
        ("test_an_edit_changes_the_lines_that_it_names", "['en', 'rephrase filthy as dirty', 'filthy', 'dirty']"),
        ("test_an_edit_changes_the_lines_that_it_names", "['en', 'should read 117 not 118', '118 V', '117']"),
        ("test_an_edit_changes_the_lines_that_it_names", "['ru', '118 неверно, должно быть 112', '118 В', '112']"),
        ("test_an_edit_changes_the_lines_that_it_names", "['ru', 'конденсатор не вздулся, а потёк', 'вздулся']"),
        (
            "test_an_edit_takes_out_or_rewords_the_lines_it_names",
            "('en', 'it was the right one', 'left fan', 'right fan blade')",
        ),
        (
            "test_an_edit_takes_out_or_rewords_the_lines_it_names",
            "('es', 'era el derecho', 'izquierdo', 'ventilador derecho')",
        ),
        (
            "test_an_edit_takes_out_or_rewords_the_lines_it_names",
            "('ru', 'это был правый', 'левый', 'правый подшипник')",
        ),
        (
            "test_a_coder_is_told_what_is_left_to_do",
            "(['todo: fix ci', 'i also have to renew the domain'], 'show me my todos', 'renew the domain', 'also')",
        ),
        (
            "test_a_reminder_is_said_plainly_and_takes_another_time",
            "('remind me on monday evening to fetch the keys', 'make it tuesday', 'fetch the keys on tuesday evening')",
        ),
        (
            "test_a_reminder_is_said_plainly_and_takes_another_time",
            "('напомни забрать ключи', 'исправь: в среду в 6 забрать паспорт', 'в среду в 6 забрать паспорт')",
        ),
        (
            "test_a_row_is_kept_whole_and_gone_on_with",
            "(['my packing list: torch', 'gloves and a hat', 'on the list'], 'packing', 'torch | gloves | hat')",
        ),
        ("test_what_is_told_to_be_done_goes", "('ru', 'палатку нашла', 'фонарик | карта')"),
        ("test_what_was_taken_off_comes_back", "('en', 'remove the torch', 'sorry, keep the torch')"),
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
        # rules that no talk of writers kept out of training needed, and that earned nothing there
        "test_a_dish_that_is_wished_for_is_no_diet[Quiero dejar la carne-kept1]",
        "test_all_parts_of_a_message_are_done_or_told[word notice: the pool is closed-the heading of it, remove it-still with]",  # noqa: E501
        "test_a_row_is_picked_by_its_time_or_kind[messages3-noon]",
        "test_a_yes_with_another_wish_is_a_yes[en-messages0]",
        "test_a_yes_with_another_wish_is_a_yes[en-messages2]",
        "test_numbers_are_kept_for_what_they_are[es-messages7-berlin]",
        "test_pages_mail_and_tabs_are_told_of_in_plain_talk[en-messages1-cannot open]",
        "test_pages_mail_and_tabs_are_told_of_in_plain_talk[en-messages3-“trip”]",
        "test_talk_becomes_no_goods_and_what_is_picked_is_taken[messages9-1]",
        "test_the_state_answers_for_itself[en-messages1-Not ordered]",
        "test_what_is_looked_for_near_a_booking_is_looked_for_in_its_part_of_town[ru-есть кофе рядом с музеем?]",
        "test_a_correction_finds_the_reading_it_is_about[texts3-11.9-wp_4]",
        "test_what_a_question_asks_for_by_name_is_known_under_it[Which branch do releases come from?-from stable-project/branch-stable]",  # noqa: E501
        "test_what_a_question_asks_for_by_name_is_known_under_it[Which port should the server use?-put 4310-project/port-4310]",  # noqa: E501
        "test_what_a_question_asks_for_by_name_is_known_under_it[¿De qué rama salen las versiones?-de estable-project/branch-estable]",  # noqa: E501
        "test_what_a_question_asks_for_by_name_is_known_under_it[На каком порту слушает сервер?-3010 давай-project/port-3010]",  # noqa: E501
    }
)
"""The same of tests that are run one by one, by their names."""
