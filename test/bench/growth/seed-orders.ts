// Seeds drafts, quotes, generations and their artifacts. Almost all generations have ended; the newest are in all other states.

import type { Size } from './seed.ts'
import { firstTelegramId, momentOf, now, type Step, userOf } from './seed-people.ts'

const models = `(array['MODEL-IMAGE-PHOTO', 'MODEL-IMAGE-DESIGN', 'MODEL-VIDEO-REEL', 'MODEL-VIDEO-WAN', 'MODEL-MUSIC', 'MODEL-SPEECH-TURBO'])`
/** The model of the n-th order. One model is rare: it has one order of a thousand. */
const modelOf = `case when n % 1000 = 7 then 'MODEL-3D-TEXT' else ${models}[1 + n % 6] end`
const amountOf = `(500 + (n % 37) * 250)`
const requestOf = `jsonb_build_object('model', 'gateway/model-' || n % 6, 'prompt', left(repeat(md5('prompt' || n), 4), 40 + (n % 80)::integer),
  'seed', n, 'async', true, 'aspectRatio', '16:9')`

/** The draft of the n-th generation. Every sixth draft was dropped, so it is not the n-th draft. */
const draftOf = `n + n / 6`

export function orders(size: Size): readonly Step[] {
  const { generations: count } = size
  const drafts = Math.floor(count + count / 6)
  return [
    {
      name: 'drafts',
      text: `
        insert into drafts (id, user_id, chat_id, model_id, answers, revision, card_message_id, update_id, state, created_at, updated_at)
        select word('draft', n), user_id, ${firstTelegramId} + user_id, ${modelOf},
          jsonb_build_object('prompt', left(repeat(md5('prompt' || n), 4), 100), 'ratio', '16:9'), 2, n, 100000000 + n,
          case when n % 7 = 6 then case when n > ${drafts} - 1000 then 'open' else 'dropped' end else 'ordered' end,
          created_at, created_at + interval '1 minute'
        from generate_series(1, ${drafts}) n,
          lateral (select ${userOf('n', size)} as user_id, ${momentOf('n', drafts + 1)} as created_at) at`,
    },
    {
      name: 'quotes',
      text: `
        insert into quotes (id, draft_id, revision, user_id, model_id, request, amount, gateway_cost, parts, created_at, expires_at)
        select word('quote' || revision, n), word('draft', n), revision, user_id, ${modelOf}, ${requestOf}, ${amountOf},
          ${amountOf} / 2, jsonb_build_object('unit', 'result', 'quantity', 1, 'count', 1, 'multiplier', '2', 'surcharges', '[]'::jsonb,
            'rate', jsonb_build_object('roubles', (${amountOf} / 200.0)::text, 'per', 1)),
          created_at, created_at + interval '15 minutes'
        from generate_series(1, ${drafts}) n, generate_series(case when n % 3 = 0 then 1 else 2 end, 2) revision,
          lateral (select ${userOf('n', size)} as user_id, ${momentOf('n', drafts + 1)} as created_at) at`,
    },
    { name: 'generations', text: generations(size) },
    {
      name: 'artifacts',
      text: `
        insert into artifacts (generation_id, position, url, file_id, message_id, kind)
        select g.id, at, 'https://cdn.example.com/results/' || md5(g.id || at) || '.png',
          case when g.delivery <> 'pending' then 'AgACAgIAAxkDAAI' || md5(g.id || at) || md5(at || g.id) end,
          case when g.delivery <> 'pending' then 7 end, 'image'
        from generations g, generate_series(0, case when g.amount % 1000 = 0 then 1 else 0 end) at
        where g.state = 'succeeded' or g.arrived_late_at is not null`,
    },
    {
      name: 'refunds in the log',
      text: `
        insert into operator_actions (operator_id, action, subject, reason, details, created_at)
        select 1, 'refund', 'generation:' || id, 'It is blurred.', jsonb_build_object('user', user_id::text, 'amount', refunded::text), settled_at
        from generations where refunded > 0`,
    },
    {
      name: 'reports',
      text: `
        insert into reports (id, generation_id, user_id, said, state, created_at, closed_at)
        select word('report', n), id, user_id, 'It is not what I asked for.',
          case when refunded is not null then 'refunded' when n > ${count} - 4000 then 'open' else 'declined' end, settled_at,
          case when refunded is not null or n <= ${count} - 4000 then settled_at end
        from (select g.*, row_number() over () as n from generations g where captured > 0) g where n % 100 in (50, 51)`,
    },
  ]
}

const states = `case when age >= 400 then case when n % 100 < 6 then 'failed' when n % 100 = 6 then 'canceled' else 'succeeded' end
  when age < 5 then 'held' when age < 7 then 'submitting' when age < 20 then 'unknown' else 'running' end`

/** `age` counts back from the newest generation; the newest 400 (fewer at small scales) are live. */
function generations(size: Size): string {
  const { generations: count } = size
  const live = Math.min(400, Math.ceil(count / 100))
  return `
    insert into generations (id, quote_id, draft_id, user_id, chat_id, model_id, request, amount, captured, refunded, state, progress, task_id,
      callback_token, reason, delivery, next_check_at, status_message_id, created_at, submitted_at, deadline_at, settled_at,
      arrived_late_at, delivered_at)
    select word('generation', n), word('quote2', draft), word('draft', draft), user_id, ${firstTelegramId} + user_id, model_id, request, amount,
      case state when 'succeeded' then amount when 'failed' then 0 when 'canceled' then 0 end,
      case when state = 'succeeded' and n % 100 = 50 then amount end, state, case state when 'running' then 'processing' end,
      case when state in ('running', 'succeeded', 'failed', 'canceled') then 'task-' || md5('task' || n) end, md5('token' || n),
      case state when 'failed' then (array['task-failed', 'refused', 'late'])[1 + n % 3] when 'canceled' then 'task-canceled' end,
      case when state not in ('succeeded', 'failed', 'canceled') then 'none' when age < 440 then 'pending'
        when n % 500 = 20 then 'undeliverable' else 'delivered' end,
      case when age < 440 or state = 'failed' and n % 3 = 2 and age < 4000 then ${now} + interval '1 second' * (n % 60 - 20) end,
      7, created_at, case when state <> 'held' then created_at end, case when state <> 'held' then created_at + interval '30 minutes' end,
      case when state in ('succeeded', 'failed', 'canceled') then settled_at end,
      case when state = 'failed' and n % 3 = 2 and n % 7 = 0 and age > 4000 then settled_at end,
      case when state in ('succeeded', 'failed', 'canceled') and age >= 440 then settled_at + interval '5 seconds' end
    from (
      select *, ${states} as state, created_at + interval '1 second' * (20 + n % 400) as settled_at from (
        select n, ${draftOf} as draft, (${count} - n) * 400 / ${live} as age from generate_series(1, ${count}) n
      ) numbered, lateral (select ${userOf('d.n', size)} as user_id, ${momentOf('d.n', Math.floor(count + count / 6) + 1)} as created_at
        from (select draft as n) d) at, lateral (select ${modelOf} as model_id, ${requestOf} as request, ${amountOf} as amount
        from (select draft as n) d) priced
    ) one`
}
