// Conversations with a text model: the contents of a question, settings, repeated questions, and who may change what.

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pdfBomb, pdfOf } from '../support/media/pdf.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { createUser, labelsOf } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

interface Request {
  readonly path: string
  readonly body?: unknown
}
/** The gateway's newest request of any text operation, as JSON. */
async function lastAsked(): Promise<string> {
  const { requests } = await sandbox.get<{ requests: readonly Request[] }>('/api/gateway/account')
  const asked = requests.filter(({ path }) => /completions|messages|responses|generateContent/.test(path))
  return JSON.stringify(asked.at(-1))
}

it('a text file goes into the question', async () => {
  const anna = await sandbox.user('Anna')
  const bytes = Buffer.from('The tide turns at noon.')
  await anna.sendsFile({ kind: 'document', name: 'tides.txt', bytes }, 'What does it say?')
  await anna.sees(/What does it say/)
  expect(await lastAsked()).toContain('The tide turns at noon.')
})

it('the text of a PDF goes into the question', async () => {
  const piet = await sandbox.user('Piet')
  const bytes = pdfOf('Low water at six')
  await piet.sendsFile({ kind: 'document', name: 'tides.pdf', bytes }, 'And this one?')
  await piet.sees(/And this one/)
  expect(await lastAsked()).toContain('Low water at six')
})

it('a document that cannot be read is refused, and its question is not asked', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.sendsFile(
    { kind: 'document', name: 'broken.pdf', bytes: Buffer.from('%PDF-1.4') },
    'What is it?',
  )
  await ivan.sees(/nothing I can read here/)
  await ivan.sends('/balance')
  await ivan.sees(/₽500.00/)
})

it('a document of a user who cannot pay is not downloaded: only its first bytes tell what it is', async () => {
  const poor = await openSandbox('postgres', { WELCOME_CREDIT: '0' })
  const rosa = await poor.user('Rosa')
  for (const _ of ['head', 'whole']) await poor.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await rosa.sendsFile({ kind: 'document', name: 'bomb.pdf', bytes: pdfBomb(400_000_000) }, 'What is it?')
  await rosa.sees(/short/)
  expect(await poor.get('/api/faults')).toHaveLength(1)
  await poor.stop()
})

it('a photo is sent to a model with vision', async () => {
  const quinn = await sandbox.user('Quinn')
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#0af' } })
    .jpeg()
    .toBuffer()
  await quinn.sendsFile({ kind: 'photo', name: 'sea.jpg', bytes }, 'What is on it?')
  await quinn.sees(/looked at what you attached/)
})

it('a binary file is refused and costs nothing', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sendsFile({ kind: 'document', name: 'a.bin', bytes: Buffer.from([0, 1, 2, 255]) })
  await boris.sees(/nothing I can read here/)
  await boris.sends('/balance')
  await boris.sees(/^Balance: ₽500.00/)
})

it('a quoted message is part of the question', async () => {
  const clara = await sandbox.user('Clara')
  const { message_id } = await clara.sends('/help')
  await clara.sends('What is this about?', { reply_to: message_id })
  await clara.sees(/What is this about/)
  expect(await lastAsked()).toContain('> /help')
})

it('web search is switched on on the settings, uses the operation that offers it, and shows its sources', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/model')
  await dora.taps(/Model: /)
  await dora.taps(/^GPT/)
  await dora.taps(/Web search: off/)
  await dora.sees(/GPT/)
  await dora.sends('What is new in surfing?')
  const answer = await dora.sees(/Sources/)
  expect(answer.entities?.some(({ type }) => type === 'text_link')).toBe(true)
  expect(await lastAsked()).toContain('/v1/responses')
})

it('an edited question is asked again, and only the new question and answer are remembered', async () => {
  const eva = await sandbox.user('Eva')
  const question = await eva.sends('Tell me about wax')
  await eva.sees(/Tell me about wax/)
  await eva.edits(question, 'Tell me about fins')
  await eva.sees(/Tell me about fins/)
  await eva.sends('And then?')
  await eva.sees(/And then/)
  const asked = await lastAsked()
  expect(asked).toContain('Tell me about fins')
  expect(asked).not.toContain('Tell me about wax')
})

it('a persona is sent with each question until it is removed', async () => {
  const fred = await sandbox.user('Fred')
  await fred.sends('/system You are a lighthouse keeper')
  await fred.sees(/lighthouse keeper/)
  await fred.sends('Who are you?')
  await fred.sees(/Who are you/)
  expect(await lastAsked()).toContain('You are a lighthouse keeper')
  await fred.taps(/Remove the persona/)
  await fred.sends('And now?')
  await fred.sees(/And now/)
  expect(await lastAsked()).not.toContain('lighthouse keeper')
})

it('/new forgets the messages, and keeps the model, the modes and the persona', async () => {
  const olga = await sandbox.user('Olga')
  await olga.sends('/model')
  await olga.taps(/Model: /)
  await olga.taps(/^(● )?GPT · /)
  await olga.taps(/Web search: off/)
  await olga.sends('/system You are a lighthouse keeper')
  await olga.sees(/lighthouse keeper/)
  await olga.sends('What is a reef?')
  await olga.sees(/What is a reef/)
  await olga.sends('/new')
  await olga.sees(/A new conversation/)
  await olga.sends('And a tide?')
  await olga.sees(/And a tide/)
  const asked = await lastAsked()
  expect(asked).toContain('/v1/responses')
  expect(asked).toContain('web_search')
  expect(asked).toContain('You are a lighthouse keeper')
  expect(asked).not.toContain('What is a reef')
})

it('in a group only the user who began the conversation or an administrator can change it or start over', async () => {
  const [ines, jon, kay] = [await sandbox.user('Ines'), await sandbox.user('Jon'), await sandbox.user('Kay')]
  const group = { title: 'Surfers', members: [ines.id, jon.id, kay.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [admin, owner, other] = [ines.in(id), jon.in(id), kay.in(id)]
  await owner.sends('/chat What is a reef?')
  await owner.sees(/What is a reef/)
  await other.sends('/new')
  await other.sees(/only the person who began the conversation/)
  await other.sends('/system Obey Kay')
  await other.sees(
    (message) =>
      message.reply_to_message === undefined && /only the person who began/.test(message.text ?? ''),
  )
  await other.sends('/model')
  await other.sees(/for everybody in the conversation. Only the person who began[\s\S]*The one who asks pays/)
  await other.taps(/Thinking: off/)
  await other.isTold(/only the person who began the conversation/)
  await owner.taps(/Thinking: off/)
  await owner.sees((message) => labelsOf(message).some((label) => label.includes('Thinking: on')))
  await admin.sends('/new')
  await admin.sees(/A new conversation/)
  await owner.sends('/system Speak like a sailor')
  await owner.sees(/Speak like a sailor/)
  await owner.sends('/chat And a tide?')
  await owner.sees(/And a tide/)
  const asked = await lastAsked()
  expect(asked).toContain('Speak like a sailor')
  expect(asked).not.toContain('What is a reef')
  expect(asked).not.toContain('Obey Kay')
})

it('/retry asks the last question again, or says that there is no question yet', async () => {
  const gina = await sandbox.user('Gina')
  await gina.sends('/retry')
  await gina.sees(/nothing to repeat/)
  await gina.sends('Why salt?')
  await gina.sees(/Why salt/)
  await gina.sends('/retry')
  await gina.sees((message) => message.message_id > 5 && /Why salt/.test(message.text ?? ''))
})

it("the price button of another user's answer explains nothing", async () => {
  const [hugo, ines] = [await sandbox.user('Hugo'), await sandbox.user('Ines')]
  await hugo.sends('Why blue?')
  const { reply_markup } = await hugo.sees(/Why blue/)
  const data = reply_markup?.inline_keyboard?.flat().find((button) => button.callback_data?.startsWith('cc:'))
  await ines.sends('/help')
  const { message_id } = await ines.sees(/What I can do/)
  await ines.tapsData(message_id, data?.callback_data ?? '')
  await ines.isTold(/not your question/)
})

it('a question above the balance is refused with the missing amount and an offer to top up', async () => {
  const poor = await openSandbox('postgres', { WELCOME_CREDIT: '0' })
  try {
    const jan = await poor.user('Jan')
    await jan.sends('Why not?')
    await jan.sees(/could cost more than you have/)
    await jan.taps(/Top up ₽50.00/)
  } finally {
    await poor.stop()
  }
})

it('an app that shuts down sends the received part of an answer, and says that it was interrupted', async () => {
  const going = await openSandbox()
  const kim = await createUser(going.url, { first_name: 'Kim', language_code: 'en' })
  await going.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await kim.sends('Tell me everything about reefs [long]')
  await kim.seesDraft(/reefs/)
  await going.app.stop()
  await kim.sees(/broke off/)
  expect(await kim.transcript()).toMatch(/Sandbox bot: [\s\S]*reefs/)
  await going.stop()
})

describe('a question at the native operation, which does not stream', () => {
  /** Asks a question that the gateway never answers. */
  async function asksNative(there: TestSandbox, name: string) {
    const user = await createUser(there.url, { first_name: name, language_code: 'en' })
    await user.sends('/model')
    await user.taps(/Model: /)
    await user.taps(/^(● )?Gemini · /)
    await user.taps(/Run code: off/)
    await user.sees((message) => labelsOf(message).some((label) => label.includes('Run code: on')))
    await there.breaks('gateway', 'native', { kind: 'hang' })
    await user.sends('How deep is it?')
    await user.seesDraft(/Thinking/)
    return user
  }

  it('ends at once on Stop, and costs nothing', async () => {
    const lea = await asksNative(sandbox, 'Lea')
    await lea.stops()
    await lea.sees(/Stopped before the first word; nothing was charged/)
    await lea.sends('/balance')
    await lea.sees(/^Balance: ₽500.00/)
  })

  it('ends by the Stop button below the answer to /cancel', async () => {
    const lou = await asksNative(sandbox, 'Lou')
    await lou.sends('/cancel')
    await lou.sees(
      /^No question or card is open here[\s\S]*An answer is being written · up to ₽\d+\.\d\d held/,
    )
    await lou.taps('⏹ Stop')
    await lou.sees(/Stopped before the first word; nothing was charged/)
    await lou.taps('⏹ Stop')
    await lou.isTold('This answer is no longer being written.')
    await lou.sends('/cancel')
    await lou.sees(/There is nothing to cancel/)
  })

  it('does not delay the shutdown of the app, and costs nothing', async () => {
    const going = await openSandbox()
    try {
      const mia = await asksNative(going, 'Mia')
      const stopping = going.app.stop()
      await mia.sees(/No answer came. Nothing was charged/)
      await stopping
    } finally {
      await going.stop()
    }
  })
})
