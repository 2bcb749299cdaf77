// The past messages of a conversation, as its next question includes them.

import { and, desc, eq, gt, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type QuestionFile, questionFile } from '../catalog/field.ts'
import { type Command, commands } from '../catalog/model.ts'
import type { Database } from '../db/client.ts'
import { conversations, drafts, generations, turns } from '../db/schema.ts'
import type { Turn } from './conversations.ts'
import { type PastCall, type Said, withoutFiles } from './dialogue.ts'
import { separated } from './format/thinking.ts'
import { type Content, isEarlier, joined, shownOf } from './question-files.ts'
import { toolNameOf } from './tools.ts'

/** The most past turns that are read; more than fit into any context. */
const mostRemembered = 500

const proposed = z.object({
  id: z.string(),
  command: z.enum(commands),
  prompt: z.string(),
  /** The state of its draft; null when the card was never shown. */
  draft: z.string().nullable(),
  answers: z.record(z.string(), z.unknown()).nullable(),
  order: z.string().nullable(),
  delivery: z.string().nullable(),
})
type Proposed = z.output<typeof proposed>

const past = z.array(
  z.object({
    id: z.string(),
    question: z.string(),
    answer: z.string(),
    files: z.array(questionFile).catch([]),
    message: z.number().nullable(),
    proposals: z.array(proposed).nullish(),
  }),
)
export type Past = z.output<typeof past>

const proposalsColumn = sql`
  select json_agg(json_build_object('id', card->>'draftId', 'command', card->>'command', 'prompt', card->>'prompt',
    'draft', ${drafts.state}, 'answers', ${drafts.answers}, 'order', ${generations.state}, 'delivery', ${generations.delivery})
    order by place)
  from jsonb_array_elements(proposals) with ordinality proposed (card, place)
  left join ${drafts} on ${drafts.id} = card->>'draftId' left join ${generations} on ${generations.draftId} = ${drafts.id}`

/**
 * A column of a query of conversations: their questions and answers, oldest first, without failed answers and answers that could not be
 * delivered at all.
 */
export function pastColumn(): SQL<Past> {
  const isKept = and(
    eq(turns.conversationId, conversations.id),
    or(ne(turns.answer, ''), isNotNull(turns.proposals)),
    inArray(turns.state, ['done', 'stopped']),
    or(ne(turns.delivery, 'undeliverable'), gt(turns.sent, 0)),
  )
  const read = (json: unknown) => past.parse(JSON.parse(String(json)))
  return sql`(
    select coalesce(json_agg(json_build_object('id', id, 'question', question, 'answer', answer, 'message', message, 'files', files,
      'proposals', (${proposalsColumn})) order by at), '[]')::text
    from (
      select ${turns.id} as id, ${turns.question} as question, ${turns.answer} as answer,
        ${turns.files} as files, ${turns.questionMessageId} as message, ${turns.createdAt} as at, ${turns.proposals} as proposals
      from ${turns} where ${isKept} order by ${desc(turns.createdAt)} limit ${mostRemembered}
    ) newest)`.mapWith(read)
}

/** The newest card of this command that was proposed to the user earlier in the conversation, also one that was ordered. */
export async function draftProposedBefore(
  db: Database,
  { conversationId, userId, createdAt }: Pick<Turn, 'conversationId' | 'userId' | 'createdAt'>,
  command: Command,
): Promise<typeof drafts.$inferSelect | undefined> {
  const proposedIn = sql`exists (
    select from ${turns}, jsonb_array_elements(${turns.proposals}) card
    where ${and(eq(turns.conversationId, conversationId), lt(turns.createdAt, createdAt))}
      and card->>'draftId' = ${drafts.id} and card->>'command' = ${command})`
  const [found] = await db
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), proposedIn))
    .orderBy(desc(drafts.createdAt))
    .limit(1)
  return found
}

/**
 * The past turns, oldest first. Of a question that was asked repeatedly only the last answer is included.
 * @param asking the message id of the question that is being repeated, if any
 */
function turnsIn(past: Past, asking: number | null): Past {
  const turns = new Map(past.map((turn) => [turn.message ?? turn.id, turn]))
  if (asking !== null) turns.delete(asking)
  return [...turns.values()]
}

/** The files that the last answer has seen: those of its question, or earlier ones that were sent again. */
export const filesInSight = (past: Past, asking: number | null): readonly QuestionFile[] =>
  shownOf(turnsIn(past, asking).at(-1)?.files ?? [])

/**
 * The past messages, without thinking.
 * @param asking see `turnsIn`
 * @param seen the files that are sent again, by file id; others are not
 */
export function saidIn(past: Past, asking: number | null, seen: ReadonlyMap<string, Content>): Said[] {
  return turnsIn(past, asking).flatMap(({ question, answer: text, files, proposals }): Said[] => {
    const { answer } = separated({ text, thinking: '' })
    const calls = proposals?.map(callOf)
    if (answer === '' && !calls) return []
    const own = shownOf(files).filter((file) => !isEarlier(file))
    const contents = own.flatMap(({ file }) => seen.get(file) ?? [])
    const asked: Said = { role: 'user', text: question, ...joined(contents) }
    return [
      contents.length < own.length ? withoutFiles(asked) : asked,
      {
        role: 'assistant',
        text: answer,
        images: [],
        ...(calls ? { calls } : {}),
      },
    ]
  })
}

const promptNames = ['prompt', 'positivePrompt', 'text']

function callOf({ id, command, prompt, answers, ...states }: Proposed): PastCall {
  const words = promptNames.map((name) => answers?.[name]).find((value) => typeof value === 'string')
  const changed = words !== undefined && words !== prompt.trim() ? { prompt: words } : {}
  const result = { outcome: outcomeOf(states), ...changed }
  return { id: id.slice(-9), name: toolNameOf(command), input: { prompt }, result }
}

function outcomeOf({
  draft,
  order,
  delivery,
}: Pick<Proposed, 'draft' | 'order' | 'delivery'>): PastCall['result']['outcome'] {
  if (order === 'failed' || order === 'canceled') return 'failed'
  if (order !== null) return delivery === 'delivered' ? 'delivered' : 'ordered'
  // A card of a model that is not sold any more was never shown.
  if (draft === null) return 'failed'
  return draft === 'open' ? 'proposed' : 'declined'
}
