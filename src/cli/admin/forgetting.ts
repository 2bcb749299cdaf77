// forget: deletes the data of a user who asks for it and cannot do so by /delete_me, such as a banned one.

import { moneyOf } from '../../ledger/wallets.ts'
import { formatRoubles } from '../../money.ts'
import { type ForgetRefusal, forget as forgetUser, mayForget } from '../../privacy/forget.ts'
import { botIdOf, otherBotText, ownerOf } from '../../telegram/own-bot.ts'
import { hashOfPerson } from '../../users/person.ts'
import { type Command, confirm, describe, Refused, userBy } from './common.ts'

const refusals: Readonly<Record<ForgetRefusal, string>> = {
  live: 'an order or an answer is in progress, or money is held: try again when it has ended',
  paying: 'a payment may still arrive: try again when its page or invoice has expired',
  refunding: 'a payment is being refunded: try again when it is refunded',
  banned: 'they are banned',
  owing: 'they owe money',
  gone: 'their data is deleted already',
}

export const forget: Command = {
  usage: ['forget <user>'],
  async run(deps, words, flags) {
    const { db, bot, clock } = deps
    // Another token would make another hash, and the person would not be recognised.
    if (!bot)
      throw new Refused(
        'Run it with the BOT_TOKEN and ADMIN_IDS of the bot: people who come back are recognised by the token.',
      )
    const owner = await ownerOf(db)
    const botId = botIdOf(bot.token)
    if (owner !== undefined && owner !== botId) throw new Refused(otherBotText(owner, botId))
    const { person } = await userBy(deps, words.join(' '))
    const refused = (reason: ForgetRefusal) => new Refused(`Nothing was deleted: ${refusals[reason]}.`)
    if (person.telegramId === null) throw refused('gone')
    const may = await mayForget(db, person.id, 'operator')
    if (!may.ok) throw refused(may.reason)
    const lost = formatRoubles(await moneyOf(db, person.id))
    const ending = person.bannedAt ? ', and end the ban' : ''
    await confirm(
      deps,
      flags,
      `delete all data for good, give up ${lost} of balance and wallets${ending}: ${describe(person)}`,
    )
    const personHash = hashOfPerson(bot.token, person.telegramId)
    const forgotten = await forgetUser(db, person.id, personHash, clock.now(), bot.operators, 'operator')
    if (!forgotten.ok) throw refused(forgotten.reason)
    return [
      `Deleted, as by /delete_me: the data of #${person.id}. Given up: ${lost}. The money rows stay, without a name.`,
      'They are not told. If they write again they start from scratch, without a welcome credit.',
      ...(person.bannedAt ? ['The ban has ended with it: if they write again, you can ban them again.'] : []),
    ]
  },
}
