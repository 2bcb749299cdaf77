// Cases of operators and monitoring: the data that they read.

import { readLog } from '../../../src/operator/actions.ts'
import {
  failuresCheck,
  salesCheck,
  setAsideCheck,
  stuckCheck,
  undeliveredCheck,
  updatesCheck,
} from '../../../src/operator/checks.ts'
import { readFigures } from '../../../src/operator/figures.ts'
import { createGauges } from '../../../src/operator/gauges.ts'
import { findPeople, lastGenerations, lastPayments, readProfile } from '../../../src/operator/people.ts'
import { periodOf } from '../../../src/operator/periods.ts'
import { openReports } from '../../../src/operator/reports.ts'
import { listSetAside } from '../../../src/updates/inbox.ts'
import type { Case } from './cases.ts'

export const operatorCases: readonly Case[] = [
  ...[1, 7, 30].map((days) => ({
    name: `/admin, ${days === 1 ? 'a day' : `${days} days`}`,
    run: ({ deps, now }: Parameters<Case['run']>[0]) =>
      readFigures(deps.db, periodOf(days, now, 'Europe/Moscow')),
    indexes: [
      'generations_ended',
      'generations_late',
      'payments_created',
      'reports_open',
      'transfers_created',
      'turns_settled',
    ],
  })),
  {
    name: 'stats of a year',
    run: ({ deps, now }) => readFigures(deps.db, periodOf(366, now, 'Europe/Moscow')),
  },
  {
    name: 'metrics',
    indexes: ['generations_ended', 'generations_live', 'transfers_created'],
    run: ({ deps }) => createGauges(deps)(),
  },
  {
    name: 'every minute: the checks',
    indexes: ['generations_ended', 'generations_given_up', 'updates_due', 'updates_set_aside'],
    async run({ deps, now }) {
      for (const check of [
        salesCheck,
        failuresCheck,
        stuckCheck,
        undeliveredCheck,
        updatesCheck,
        setAsideCheck,
      ]) {
        await check(deps.db, now)
      }
    },
  },
  {
    name: 'a user is found by name',
    run: ({ deps }) => findPeople(deps.db, 'person_77'),
  },
  { name: 'a user is found by username', run: ({ deps }) => findPeople(deps.db, '@person_77') },
  {
    name: 'a profile',
    indexes: ['generations_shelf', 'payments_user', 'transfers_captured', 'transfers_rare'],
    async run({ deps, heavyUser }) {
      const [person] = await findPeople(deps.db, `#${heavyUser}`)
      if (!person) throw new Error('the heavy user exists')
      await readProfile(deps.db, person)
      await lastGenerations(deps.db, heavyUser, 5)
      await lastPayments(deps.db, heavyUser, 5)
    },
  },
  {
    name: 'lists: log, reports, updates set aside',
    indexes: ['reports_open', 'updates_set_aside'],
    async run({ deps }) {
      await readLog(deps, 20)
      await openReports(deps.db, 10)
      await listSetAside(deps.db)
    },
  },
]
