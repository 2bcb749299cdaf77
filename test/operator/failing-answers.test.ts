// The alarms about text models whose answers fail, and the alert rules of Prometheus for the same failures.

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answer } from '../../src/chat/answer.ts'
import { assemble } from '../../src/chat/dialogue.ts'
import { generations, salesStops, turns } from '../../src/db/schema.ts'
import { failuresCheck, salesCheck } from '../../src/operator/checks.ts'
import { events, json } from '../support/gateway/answering.ts'
import { type Answers, createAnswers, model } from '../support/worlds/answers.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(() => answers.close())
afterEach(async () => {
  await answers.db.update(turns).set({ settledAt: new Date(0) })
  await answers.db.delete(generations)
  await answers.db.delete(salesStops)
})

const troubles = () => failuresCheck(answers.db, answers.clock.now())
const refusing = json(400, { error: { message: 'no such model', type: 't', code: 'c' } })
const fine = events([{ choices: [{ delta: { content: 'Because.' } }] }, '[DONE]'])
const brokenOff = events([{ choices: [{ delta: { content: 'Be' } }] }])
const nothing = events([{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 5 } }, '[DONE]'])

/** Asks and answers questions. @param stop stops each answer before its first word */
async function asked(
  count: number,
  gateway: Parameters<Answers['world']['gatewayAnswers']>[0],
  stop = false,
) {
  for (let at = 0; at < count; at += 1) {
    const { turn } = await answers.asked()
    answers.world.reset()
    answers.world.gatewayAnswers(gateway)
    const user = { role: 'user', text: 'Why?', images: [] } as const
    const dialogue = assemble(undefined, [], user, 1000)
    const modes = { thinking: false, search: false, code: false }
    const request = { model, dialogue, maxOutput: 4000, modes, tools: [] }
    const live = { show: () => undefined, close: async () => undefined }
    const texts = { thinking: '', sources: '', note: () => 'note' }
    const signal = stop ? AbortSignal.abort() : new AbortController().signal
    await answer(answers.world.deps, turn, request, live, texts, signal)
  }
}

describe('five answers of a text model that failed or broke off within an hour', () => {
  it('are an alarm', async () => {
    await asked(3, refusing)
    await asked(1, brokenOff)
    expect(await troubles()).toEqual([])
    await asked(1, json(503, { error: { message: 'busy', type: 't', code: 'c' } }))
    expect(await troubles()).toEqual([{ kind: 'failures', what: 'T', fact: 'T: 5 / 5' }])
    await asked(5, fine)
    expect(await troubles()).toMatchObject([{ fact: 'T: 5 / 10' }])
    await asked(1, fine)
    expect(await troubles()).toEqual([])
    expect(await failuresCheck(answers.db, new Date(answers.clock.now().getTime() + 3_600_000))).toEqual([])
  })

  it.each([
    ['that their users stopped before the first word', fine, null],
    ['that are empty', nothing, 'empty'],
    [
      'that were refused because our account at the gateway is empty',
      json(402, { error: { message: 'no money' } }),
      'paused',
    ],
  ])('are no alarm when they are answers %s', async (_, gateway, failure) => {
    await asked(5, gateway, failure === null)
    const isNew = eq(turns.settledAt, answers.clock.now())
    const ends = await answers.db
      .select({ state: turns.state, failure: turns.failure })
      .from(turns)
      .where(isNew)
    expect(ends).toEqual(Array(5).fill({ state: 'failed', failure }))
    expect(await troubles()).toEqual([])
  })
})

it('an answer ends the alarm about an empty account at the gateway, and a failed one does not', async () => {
  await asked(1, json(402, { error: { message: 'no money' } }))
  answers.clock.advance(21 * 60_000)
  const check = () => salesCheck(answers.db, answers.clock.now())
  await asked(1, refusing)
  expect(await check()).toMatchObject([{ what: 'out-of-balance' }])
  await asked(1, fine)
  expect(await check()).toEqual([])
})
