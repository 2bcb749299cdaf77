// Seeds users, answers of text models, and updates.

import type { Size } from './seed.ts'

export interface Step {
  readonly name: string
  readonly text: string
}

/** The time of the newest seeded rows, two years after the oldest. */
export const now = `date_trunc('minute', now())`
export const firstTelegramId = 1_000_000_000

/** The creation time of the n-th of `count` rows. The installation grows: half of all rows are from the last seven months. */
export const momentOf = (n: string, count: number): string =>
  `${now} - interval '730 days' * (1 - sqrt((${n}) / ${count}::float8))`

/** The user of the n-th row: 20 heavy users own an eighth of the rows; of the others, older users own more rows. */
export const userOf = (n: string, { users }: Size): string =>
  `case when ${n} % 150 < 20 then 1 + ${n} % 150 % ${users}
    else 1 + floor(${users} * part(${n}, 'user') ^ 2)::bigint end`

const blindText = (n: string, bytes: number): string =>
  `left(repeat(md5('text' || ${n}), ${Math.ceil(bytes / 32)}), ${bytes})`

export function people({ users }: Size): readonly Step[] {
  return [
    {
      name: 'users',
      text: `
        insert into users (telegram_id, language, telegram_language, name, username, email, referrer_id, banned_at, created_at, greeted_at)
        select ${firstTelegramId} + n, case when n % 9 = 0 then 'en' end, 'ru', 'Person ' || n, 'person_' || n,
          case when n % 5 = 0 then 'p' || n || '@example.com' end, case when n > 20 and n % 7 = 0 then 1 + n / 2 end,
          case when n % 997 = 0 then ${now} end, created_at, created_at
        from generate_series(1, ${users}) n, lateral (select ${momentOf('n', users)} as created_at) at`,
    },
    {
      name: 'what was asked and noted',
      text: `
        insert into conversation_states (key, value, updated_at)
        select ${firstTelegramId} + n || '::' || ${firstTelegramId} + n, '{"version": 2, "state": {}}', ${now}
        from generate_series(1, ${users} / 10) n;
        insert into message_notes (chat_id, message_id, user_id, kind, about, created_at)
        select ${firstTelegramId} + 1 + n % ${users}, n, 1 + n % ${users}, 'card', jsonb_build_object('draftId', word('draft', n)),
          ${now} - interval '31 days' * (1 - n / (${users} * 5)::float8)
        from generate_series(1, ${users} * 5) n;
        insert into operator_actions (operator_id, action, subject, details, created_at)
        select 1, case n % 3 when 0 then 'decline' when 1 then 'view' else 'switch-on' end, 'user:' || 1 + n % ${users}, '{}',
          ${momentOf('n', Math.ceil(users / 4))}
        from generate_series(1, ${users} / 4) n`,
    },
  ]
}

/** Seeds answers of text models; the newest are being written or sent. */
export function answers(size: Size): readonly Step[] {
  const { turns: count } = size
  const live = Math.min(50, Math.ceil(count / 100))
  return [
    {
      name: 'conversations',
      text: `
        insert into threads (id, user_id, chat_id, model_id, modes, created_at, closed_at)
        select word('thread', n), user_id, ${firstTelegramId} + user_id, 'MODEL-TEXT-' || n % 3,
          '{"thinking": false, "search": false, "code": false}', created_at, ${now}
        from generate_series(1, ${Math.ceil(count / 5)}) n,
          lateral (select ${userOf('n * 5', size)} as user_id, ${momentOf('n * 5', count + 5)} as created_at) at`,
    },
    {
      name: 'answers',
      text: `
        insert into turns (id, thread_id, user_id, model_id, question, files, answer, sources, state, amount, captured,
          input_tokens, output_tokens, question_message_id, update_id, delivery, sent, send_at, lease_until, created_at, settled_at)
        select word('turn', n), t.id, t.user_id, t.model_id, ${blindText('n', 160)}, '[]', ${blindText('n', 900)}, '[]',
          case when is_live then 'streaming' when n % 40 = 0 then 'failed' else 'done' end, 600,
          case when not is_live and n % 40 <> 0 then 40 + n % 500 end, 300, 250, n, 2000000000 + n,
          case when is_live then 'none' when is_unsent then 'pending' else 'delivered' end, case when is_unsent then 0 else 1 end,
          case when is_unsent then ${now} end, case when is_live then ${now} - interval '1 minute' end, at,
          case when not is_live then at + interval '20 seconds' end
        from (
          select n, n > ${count - live} as is_live, n between ${count - 2 * live} and ${count - live} as is_unsent,
            ${momentOf('n', count + 1)} as at
          from generate_series(1, ${count}) n
        ) one join threads t on t.id = word('thread', (n + 4) / 5) order by n`,
    },
  ]
}

/** Seeds updates of three and a half days: the oldest half day is due for deletion, the newest are waiting. */
export function inbox({ updates: count, users }: Size): readonly Step[] {
  const waiting = Math.min(300, Math.ceil(count / 100))
  return [
    {
      name: 'updates',
      text: `
        insert into updates (id, body, chat_id, person_id, received_at, due_at, attempts, done_at, set_aside_at)
        select 700000000 + n, case when not is_done or n % 3000000 = 0 then '{"update_id":' || 700000000 + n || '}' end,
          lane, lane, at, at, case when is_done then 1 else 0 end, case when is_done then at + interval '0.2 seconds' end,
          case when n % 3000000 = 0 then at end
        from (
          select n, n <= ${count - waiting} as is_done, ${firstTelegramId} + 1 + floor(${users} * part(n, 'person') ^ 2)::bigint as person,
            ${now} - interval '84 hours' * (1 - n / ${count}::float8) as at
          from generate_series(1, ${count}) n
        ) one, lateral (select case when not is_done or n % 3000000 = 0 then person end as lane) kept`,
    },
  ]
}
