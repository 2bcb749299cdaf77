// Opens and closes the parts of a run: the clock, the doubles of the outside services, the database, the balancer, the processes.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outside, startOutside } from '../../../src/sandbox/outside.ts'
import { type Chance, createChance } from './chance.ts'
import { countedFaults } from './faults/outside.ts'
import type { FaultProfile } from './faults/profile.ts'
import { type GatewaySwitch, withOutages } from './faults/strike.ts'
import { createJournal, everybody, type Journal } from './journal.ts'
import { keepEvidence } from './keep.ts'
import { createBalancer } from './machine/balancer.ts'
import { openRunDatabase, processes, type RunDatabase } from './machine/database.ts'
import { createFleet, type Fleet } from './machine/fleet.ts'
import { freePorts } from './machine/listening.ts'
import { capOf, catalogFile, referralBonus } from './offer.ts'
import type { Settings } from './settings.ts'
import { type Following, followMachine } from './time/follow.ts'
import { createRunClock, type RunClock } from './time/run-clock.ts'
import { type Chats, watchChats } from './users/chats.ts'
import { operatorIds } from './users/operating.ts'

export interface ChaosWorld {
  readonly settings: Settings
  readonly chance: Chance
  readonly journal: Journal
  readonly clock: RunClock
  readonly machine: Pick<Following, 'slowness'>
  readonly outside: Outside
  readonly gateway: GatewaySwitch
  readonly chats: Chats
  readonly database: RunDatabase
  readonly fleet: Fleet
  /** The address at which Telegram and the gateway reach the app. */
  readonly publicUrl: string
  close(): Promise<void>
}

/** The number of withdrawals in the list of Stars, which is more than a page, so that every payment is on a later page. */
const withdrawals = 110

/** With this factor a task of the gateway takes between a quarter of a second and a second. */
const taskSpeed = 16

export async function openWorld(settings: Settings, { lateMs }: FaultProfile): Promise<ChaosWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chaos-'))
  const chance = createChance(settings.seed)
  const journal = createJournal()
  const clock = createRunClock(join(folder, 'pace'), settings.times)
  const database = await openRunDatabase(settings.cluster, { lateMs, clock })
  const machine = followMachine(clock, database.sql, (ms) => {
    journal.note(everybody, `machine: was too slow for ${ms} ms`)
    journal.count('machine: was too slow')
  })
  const balancer = await createBalancer()
  const gateway = { isAway: false }
  const outside = await startOutside({
    port: 0,
    dataDir: folder,
    keepsState: false,
    speed: taskSpeed,
    dates: clock.nowInApp,
    publicUrl: balancer.url,
    random: chance.stream('outside').next,
    faults: withOutages(countedFaults(journal), gateway),
  })
  outside.telegram.withdrawStars(withdrawals)
  const fleet = createFleet({
    program: join(settings.root, 'test/tools/chaos/app.ts'),
    folder,
    env: envOf(settings, outside, database, folder),
    ports: await freePorts(settings.processes),
    clock,
    journal,
  })
  balancer.lead(fleet.members)
  const chats = watchChats(outside.telegram, clock)
  return {
    settings,
    chance,
    journal,
    clock,
    machine,
    outside,
    gateway,
    database,
    fleet,
    publicUrl: balancer.url,
    chats,
    async close() {
      await machine.close()
      await fleet.close()
      await outside.close()
      await balancer.close()
      if (settings.keep) await keepEvidence(folder, { database, chats })
      await database.close()
      if (settings.keep) process.stderr.write(`Logs, tables and chats are in ${folder}\n`)
      else await rm(folder, { recursive: true, force: true })
    },
  }
}

function envOf(
  { updates, welcomeCredit, callbacks, concurrent, ...settings }: Settings,
  outside: Outside,
  { url }: RunDatabase,
  folder: string,
) {
  return {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: join(tmpdir(), 'bot-chaos-compiled'),
    TMPDIR: folder,
    ...outside.env,
    PGAPPNAME: processes,
    DATABASE_URL: url,
    ...(callbacks ? {} : { PUBLIC_URL: '' }),
    UPDATES: updates,
    LOG_LEVEL: 'debug',
    POLL_INTERVAL_MS: '3000',
    CATALOG_FILE: catalogFile,
    REFERRAL_BONUS: (referralBonus / 100).toFixed(2),
    WELCOME_CREDIT: String(welcomeCredit),
    CONCURRENT_GENERATIONS: String(concurrent),
    DAILY_SPEND_CAP: (capOf({ welcomeCredit, ...settings }) / 100).toFixed(2),
    OPERATOR_TIME_ZONE: noonZone(new Date()),
    ADMIN_IDS: operatorIds.join(','),
    // People pay by Stars and by YooKassa.
    TOPUP_RUB_PROVIDER_TOKEN: '',
  }
}

/** A zone in which it is noon, so that no run goes beyond the end of a day, at which daily limits start over. */
function noonZone(now: Date): string {
  const west = now.getUTCHours() - 12
  return `Etc/GMT${west < 0 ? west : `+${west}`}`
}
