// An answer to a question of the bot never becomes a paid question to a text model: neither when its update is handled a second time,
// because the process ended before the first handling was recorded, nor when it is sent again after a failure.

import { eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turns, updates } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { handleLastAgain } from '../support/users/handled-again.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** Handles the user's last message again, and checks that this adds nothing to the chat and starts no turn. */
async function isTakenOnce(user: SandboxUser): Promise<void> {
  const { db } = sandbox.app
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  const [before, asked] = [(await user.chat()).length, await db.$count(turns)]
  await handleLastAgain(sandbox, user.id)
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  expect((await user.chat()).slice(before).map(({ text, caption }) => text ?? caption)).toEqual([])
  expect(await db.$count(turns)).toBe(asked)
}

async function withCard(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.sends('/image a cat')
  return user
}

async function askedForPrompt(name: string): Promise<SandboxUser> {
  const user = await withCard(name)
  await user.taps(/Prompt/)
  await user.sees(/Write the answer/)
  return user
}

async function askedForName(name: string): Promise<SandboxUser> {
  const user = await withCard(name)
  await user.taps(/Presets/)
  await user.taps(/Save/)
  await user.sees(/What shall these settings be/)
  return user
}

it('a prompt for the step-by-step guide is not taken again as a question to the text model', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video')
  await anna.sends('a fox at dusk')
  await anna.sees(/step 2 of 6/)
  await isTakenOnce(anna)
})

it('a prompt after a button of the card is not taken again as a question to the text model', async () => {
  const boris = await askedForPrompt('Boris')
  await boris.sends('a dog at noon')
  await boris.sees(/Prompt: a dog at noon/)
  await isTakenOnce(boris)
})

it.each(['as a reply to the card', 'for a card that was ordered since'])(
  'a value that was typed %s is no question when it is handled again',
  async (how) => {
    const user = await sandbox.user('Vera')
    await user.sends('/video a cat')
    await user.taps(/^Duration/)
    const { message_id: card } = await user.seesButton('‹ Back')
    await user.sends('10', how.startsWith('as') ? { reply_to: card } : {})
    await user.seesButton('Duration: 10 s')
    if (!how.startsWith('as')) await user.taps(/^Generate · /)
    await handleLastAgain(sandbox, user.id)
    expect(await sandbox.app.db.$count(turns, eq(turns.question, '10'))).toBe(0)
  },
)

it('a promo code is not taken again as a question to the text model', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/promo')
  await clara.sees(/code/i)
  await makePromos(sandbox.app.db, { code: 'GIFT', amount: 500n, maxUses: 9, createdAt: new Date() })
  await clara.sends('GIFT')
  await clara.sees(/₽5.00/)
  await isTakenOnce(clara)
})

it('a name for saved settings is not taken again as a question to the text model', async () => {
  const dora = await askedForName('Dora')
  await dora.sends('my settings')
  await dora.sees(/Saved as/)
  await isTakenOnce(dora)
})

it('a repeated command adds nothing, and leaves the question open', async () => {
  const eva = await askedForPrompt('Eva')
  await eva.sends('/balance')
  await eva.sees(/^Balance: /)
  await isTakenOnce(eva)
  await eva.sends('a dog at noon')
  await eva.sees(/Prompt: a dog at noon/)
})

/** Makes the next inserts into `presets` fail, this number of times. */
async function failsToSave(times: number): Promise<void> {
  const { db } = sandbox.app
  await db.execute(sql`create sequence if not exists saved`)
  await db.execute(sql`
    create or replace function fail_first() returns trigger language plpgsql as $$ begin
      if nextval('saved') <= ${sql.raw(String(times))} then raise exception 'cannot be saved'; end if;
      return new;
    end $$`)
  await db.execute(sql`
    create or replace trigger fails before insert on presets for each row execute function fail_first()`)
  await db.execute(sql`alter sequence saved restart`)
}

describe('a name for settings that cannot be saved', () => {
  it('can be sent again, as the apology says', async () => {
    const fred = await askedForName('Fred')
    await failsToSave(1)
    const asked = await sandbox.app.db.$count(turns)
    await fred.sends('my settings')
    await fred.sees(/Something went wrong on our side/)
    await fred.sends('my settings')
    await fred.sees(/Saved as/)
    expect(await sandbox.app.db.$count(turns)).toBe(asked)
  })

  it('closes the question after the second failure, since the settings might never be saved', async () => {
    const gleb = await askedForName('Gleb')
    await failsToSave(9)
    for (const name of ['one', 'two']) {
      const { message_id: sent } = await gleb.sends(name)
      await gleb.sees(({ message_id, text }) => message_id > sent && /went wrong/.test(text ?? ''))
    }
    await gleb.sends('Why so? [short]')
    await gleb.sees(/card is still open/)
  })
})
