// Checks the database: whether it answers and can be written to, its version, its migrations, its connections, its clock compared with
// ours, and the ages of the last audit and the last backup.

import type { Config } from '../../config.ts'
import { FolderInUse, lockFolder } from '../../db/folder-lock.ts'
import { type Inspected, inspectDatabase } from '../../db/inspect.ts'
import { cannotOpen } from '../../db/outage.ts'
import { completedAt, isOverdue } from '../../operator/checks.ts'
import type { Clock } from '../../runtime/clock.ts'
import { botIdOf, otherBotText } from '../../telegram/identify.ts'
import { type Check, type Finding, note, ok, wrong } from './finding.ts'

/** The share of the server's connections above which the check warns. */
const crowded = 0.8
const toleratedMs = 2000
const oldestTried = 15

export const databaseCheck = (
  { databaseUrl: url, botToken }: Pick<Config, 'databaseUrl' | 'botToken'>,
  clock: Clock,
): Check => ({
  subject: 'database',
  async run() {
    try {
      if (url.startsWith('pglite:')) return await embedded(url.slice('pglite:'.length))
      const found = await inspectDatabase(url)
      return [
        ...ownerFinding(found, botIdOf(botToken)),
        ...findingsOf(found),
        clockFinding(found.now.getTime() - clock.now().getTime()),
        runFinding(found, 'audit', 'a process of the role worker makes it every hour; look at its log'),
        runFinding(found, 'backup', 'docs/scripts/backup says why; docs/operating.md, "Backups"'),
      ]
    } catch (error) {
      return [wrong(cannotOpen(error, url).message)]
    }
  },
})

async function embedded(folder: string): Promise<Finding[]> {
  const advice = note('the embedded database is for trials: use PostgreSQL for real money')
  try {
    const unlock = await lockFolder(folder)
    await unlock()
    return [ok(`the folder ${folder} can be used`), advice]
  } catch (error) {
    if (error instanceof FolderInUse) return [ok(`the folder ${folder} is used by a running bot`), advice]
    throw error
  }
}

const ownerFinding = ({ botId: owner }: Inspected, botId: number): Finding[] =>
  owner === undefined || owner === botId ? [] : [wrong(otherBotText(owner, botId))]

function findingsOf({ version, used, most, missing, unwritable }: Inspected): Finding[] {
  const isOld = Number.parseInt(version, 10) < oldestTried
  return [
    isOld
      ? note(`PostgreSQL ${version} answers; the bot was tried with ${oldestTried} and newer`)
      : ok(`PostgreSQL ${version} answers`),
    unwritable === undefined
      ? ok('a write succeeds; it was rolled back')
      : wrong(
          `nothing can be written (${unwritable}): make room on its disk, or let DATABASE_URL lead to a server that can be written to`,
        ),
    missing.length === 0
      ? ok('all migrations are applied')
      : note(
          `${missing.length} migrations are not applied: npm run migrate, or start the bot, which applies them`,
        ),
    used < most * crowded
      ? ok(`${used} of ${most} connections are used`)
      : wrong(`${used} of ${most} connections are used: raise max_connections, or run fewer processes`),
  ]
}

/** @param advice what makes the job */
function runFinding({ lastRuns, now }: Inspected, job: 'audit' | 'backup', advice: string): Finding {
  const run = lastRuns.find(({ name }) => name === job)
  if (!run) return note(`no ${job} was made yet: ${advice}`)
  const what = `last completed ${job}: ${completedAt(run)}`
  return isOverdue(run, now) ? wrong(`${what}: ${advice}`) : ok(what)
}

function clockFinding(differenceMs: number): Finding {
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  if (Math.abs(differenceMs) <= toleratedMs) return ok('the clocks of this machine and of the database agree')
  return wrong(
    `the clock of this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} that of the database: set both by NTP`,
  )
}
