// The invariants of results: what was charged for was made, what was made is in its chat, and what has not ended goes on.

import { type Invariant, roubles } from './invariant.ts'

export const results: readonly Invariant[] = [
  {
    name: 'what was charged for was made',
    broken: `
      select g.id as subject, format('captured %s, no result', ${roubles('g.captured')}) as fact
      from generations g
      where g.captured > 0 and not exists (select from artifacts a where a.generation_id = g.id)`,
  },
  {
    // Left out are orders whose data was deleted (chat 0) and results that their users fetched after the delivery was given up (no attempts):
    // of a file that was fetched as a link nothing is recorded.
    name: 'a delivered result has a message',
    broken: `
      select g.id as subject, format('delivered at %s, captured %s, no message', g.delivered_at, ${roubles('g.captured')}) as fact
      from generations g
      where g.delivery = 'delivered' and (g.state = 'succeeded' or g.arrived_late_at is not null) and g.chat_id <> 0 and g.attempts > 0
        and not exists (select from artifacts a where a.generation_id = g.id and (a.message_id is not null or a.file_id is not null))
      union all
      select 'turn:' || id, format('delivered, captured %s, no message', ${roubles('captured')})
      from turns where delivery = 'delivered' and sent = 0`,
  },
  {
    name: 'what has not ended is due again',
    broken: `
      select id as subject, format('state %s, delivery %s, due never', state, delivery) as fact
      from generations where next_check_at is null and (settled_at is null or delivery = 'pending')
      union all
      select 'turn:' || id, format('state %s, delivery %s, due never', state, delivery)
      from turns where state = 'streaming' and lease_until is null or delivery = 'pending' and send_at is null
      union all
      select 'top-up:' || id, format('state %s of %s, due never', state, provider)
      from top_ups where state = 'open' and external_id is not null and next_check_at is null`,
  },
]
