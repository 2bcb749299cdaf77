// Opens and closes the parts of a run: the clock, the doubles of the outside services, the database, the balancer, the processes.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outside, startOutside } from '../../../src/sandbox/outside.ts'
import { freePorts } from '../../support/runtime/server.ts'
import { createChance } from './chance.ts'
import { createRunClock, followMachine } from './clock.ts'
import { countedFaults, type GatewaySwitch } from './faults.ts'
import { createJournal, everybody } from './journal.ts'
import { openRunDatabase } from './machine/database.ts'
import { createFleet } from './machine/fleet.ts'
import { createBalancer } from './machine/network.ts'
import {
  appSpeed,
  catalogFile,
  type FaultProfile,
  referralBonus,
  referralPercent,
  type Settings,
} from './settings.ts'
import { watchChats } from './users/chats.ts'
import { operatorIds } from './users/operating.ts'

export type ChaosWorld = Awaited<ReturnType<typeof openWorld>>

/** With this factor a task of the gateway takes between a quarter of a second and a second. */
const taskSpeed = 16

export async function openWorld(settings: Settings, { lateMs }: FaultProfile) {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chaos-'))
  const chance = createChance(settings.seed)
  const journal = createJournal()
  const clock = createRunClock(join(folder, 'pace'), appSpeed)
  const database = await openRunDatabase(settings.cluster, { lateMs, clock })
  const machine = followMachine(clock, database.sql, (ms) => {
    journal.note(everybody, `machine: was too slow for ${ms} ms`)
    journal.count('machine: was too slow')
  })
  const ports = await freePorts(settings.processes)
  const balancer = await createBalancer(ports)
  const gateway: GatewaySwitch = { isAway: false }
  const outside = await startOutside({
    port: 0,
    dataDir: folder,
    keepsState: false,
    speed: taskSpeed,
    dates: clock.nowInApp,
    publicUrl: balancer.url,
    random: chance.stream('outside').next,
    faults: countedFaults(journal, gateway),
  })
  const fleet = createFleet({
    program: join(settings.root, 'test/tools/chaos/app.ts'),
    folder,
    env: { ...envOf(settings, outside), TMPDIR: folder, DATABASE_URL: database.url },
    ports,
    clock,
    journal,
  })
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
    chats,
    async close() {
      await machine.close()
      await fleet.close()
      await outside.close()
      await balancer.close()
      await database.close()
      if (settings.keep) process.stderr.write(`The logs are in ${folder}/logs\n`)
      else await rm(folder, { recursive: true, force: true })
    },
  }
}

const envOf = (settings: Settings, outside: Outside) => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'bot-chaos-compiled'),
  ...outside.env,
  UPDATES: settings.updates,
  LOG_LEVEL: 'debug',
  POLL_INTERVAL_MS: '3000',
  CATALOG_FILE: catalogFile,
  REFERRAL_BONUS: (referralBonus / 100).toFixed(2),
  REFERRAL_PERCENT: String(referralPercent),
  WELCOME_CREDIT: String(settings.welcomeCredit),
  CONCURRENT_GENERATIONS: '6',
  ADMIN_IDS: operatorIds.join(','),
  // People pay by Stars and at YooKassa.
  TOPUP_RUB_PROVIDER_TOKEN: '',
  PLATEGA_MERCHANT_ID: '',
  PLATEGA_SECRET: '',
  CRYPTOPAY_TOKEN: '',
})
