import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  childOf,
  importsOf,
  type Node,
  nameOf,
  placeOf,
  propertyOf,
  type Source,
  sources,
} from '../support/project/source.ts'

/** Imports go only downward in this table; rooms in one row do not know each other. */
const rows: readonly (readonly string[])[] = [
  ['main', 'sandbox'],
  ['app'],
  ['cli', 'compose'],
  ['bot', 'http'],
  ['operator', 'config'],
  ['delivery', 'privacy'],
  ['tracker', 'chat', 'payments', 'updates'],
  ['generations'],
  ['sales'],
  ['ledger'],
  ['users'],
  ['gateway', 'telegram', 'media', 'form'],
  ['texts'],
  ['db'],
  ['catalog'],
  ['metrics'],
  ['runtime'],
  ['money', 'text-keys', 'folders'],
]

/** What goes against the table, each with its reason. */
const allowed: Readonly<Record<string, string>> = {}

/** `bot/cards/card.ts` is in `bot`, `money.ts` is its own room. */
const roomOf = (path: string): string => path.split('/')[0]?.replace(/\.ts$/, '') ?? ''
const rowOf = (room: string): number => rows.findIndex((row) => row.includes(room))

interface Import {
  readonly place: string
  readonly path: string
  readonly room: string
  readonly typeOnly: boolean
  /** A path below src, or the name of a package. */
  readonly from: string
  readonly local: boolean
}

const imports: readonly Import[] = sources.flatMap((source) =>
  importsOf(source).map(({ node, from, typeOnly }) => {
    const local = from.startsWith('.')
    return {
      place: placeOf(source, node),
      path: source.path,
      room: roomOf(source.path),
      typeOnly,
      from: local ? posix.join(posix.dirname(source.path), from) : from,
      local,
    }
  }),
)

const shown = ({ place, from }: Import) => `${place} imports ${from}`

const isOf = (name: string) => (one: Import) =>
  !one.local && (one.from === name || one.from.startsWith(`${name}/`))

/** Places where the code matches, in files other than those. */
function found(pattern: RegExp, except: readonly string[] = []): string[] {
  return sources
    .filter(({ path }) => !except.some((own) => path === own || path.startsWith(`${own}/`)))
    .flatMap((source) =>
      [...source.text.matchAll(new RegExp(pattern, 'g'))].map(
        (match) => `${placeOf(source, { type: '', start: match.index, end: 0 })} ${match[0]}`,
      ),
    )
}

describe('the rooms of src', () => {
  it('are read at all', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(400)
  })

  it('are all in the table', () => {
    expect(sources.map(({ path }) => roomOf(path)).filter((room) => rowOf(room) < 0)).toEqual([])
  })

  const across = imports.filter((one) => one.local && roomOf(one.from) !== one.room)
  const upward = across.filter((one) => rowOf(roomOf(one.from)) <= rowOf(one.room))
  const arrow = (one: Import) => `${one.room} -> ${roomOf(one.from)}`

  it('import only downward', () => {
    expect(upward.filter((one) => !allowed[arrow(one)]).map(shown)).toEqual([])
  })

  it('have no exceptions that nobody needs any more', () => {
    expect(Object.keys(allowed).filter((one) => !upward.map(arrow).includes(one))).toEqual([])
  })

  it('import the catalog into the tables as types only', () => {
    const imported = across.filter((one) => arrow(one) === 'db -> catalog')
    expect(imported.filter((one) => !one.typeOnly).map(shown)).toEqual([])
  })

  it('import nothing in a circle', () => {
    const next = Map.groupBy(
      imports.filter((one) => one.local),
      (one) => one.path,
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, way: readonly string[]) => {
      if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
      if (done.has(path)) return
      for (const { from } of next.get(path) ?? []) visit(from, [...way, path])
      done.add(path)
    }
    for (const { path } of sources) visit(path, [])
    expect(circles).toEqual([])
  })
})

describe('who may know what', () => {
  const outside = (rooms: readonly string[]) => (one: Import) => !rooms.includes(one.room)

  it('grammY: bot, telegram, delivery, http, updates and the composition; the sandbox its types', () => {
    const users = imports.filter(isOf('grammy'))
    const wrong = users.filter(outside(['bot', 'telegram', 'delivery', 'http', 'updates', 'compose']))
    expect(wrong.filter((one) => one.room !== 'sandbox' || one.from !== 'grammy/types').map(shown)).toEqual(
      [],
    )
    expect(users.filter((one) => one.room === 'sandbox' && !one.typeOnly).map(shown)).toEqual([])
  })

  it('SQL and the tables: not the bot', () => {
    const isTable = (one: Import) => one.local && !one.typeOnly && /^db\/(schema|sql)\b/.test(one.from)
    const users = imports.filter((one) => isOf('drizzle-orm')(one) || isTable(one))
    expect(users.filter(({ room }) => room === 'bot').map(shown)).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it('the gateway: tracker, generations, sales, chat, the composition and the command line', () => {
    const users = imports.filter(
      (one) => one.local && roomOf(one.from) === 'gateway' && one.room !== 'gateway',
    )
    expect(
      users.filter(outside(['tracker', 'generations', 'sales', 'chat', 'compose', 'cli'])).map(shown),
    ).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it('the catalog, forms and money: nothing outside but zod', () => {
    const pure = imports.filter((one) => ['catalog', 'form', 'money'].includes(one.room))
    expect(pure.filter((one) => !one.local && one.from !== 'zod').map(shown)).toEqual([])
    const reached = pure.filter((one) => one.local).map((one) => roomOf(one.from))
    const known = ['catalog', 'form', 'money', 'text-keys']
    expect([...new Set(reached)].filter((room) => !known.includes(room))).toEqual([])
  })

  it('the stand-ins of the sandbox: of the app only what is sold, and its small tools', () => {
    const isStandIn = (path: string) =>
      /^sandbox\/(telegram|gateway|users|payments\/\w+)\//.test(path) && !path.endsWith('/main.ts')
    const standIns = imports.filter((one) => isStandIn(one.path) && one.local)
    const known = ['sandbox', 'catalog', 'money', 'runtime']
    expect(standIns.filter((one) => !known.includes(roomOf(one.from))).map(shown)).toEqual([])
  })

  it('the sandbox: nobody', () => {
    const users = imports.filter((one) => roomOf(one.from) === 'sandbox' && one.local)
    expect(users.filter(outside(['sandbox'])).map(shown)).toEqual([])
  })

  it('the page of the sandbox runs in a browser: it takes only types from outside, and nothing imports it', () => {
    const isInPage = (path: string) => path.startsWith('sandbox/page/')
    const out = imports.filter((one) => isInPage(one.path) && !(one.local && isInPage(one.from)))
    expect(out.filter((one) => !one.typeOnly).map(shown)).toEqual([])
    expect(imports.filter((one) => !isInPage(one.path) && isInPage(one.from)).map(shown)).toEqual([])
    expect(out.length).toBeGreaterThan(0)
  })

  const writes =
    /(insert into|update|delete from|truncate|merge into)\s+(only\s+)?(\$\{|")?(transfers|balances)\b|\.(insert|update|delete)\(\s*(transfers|balances)\b/i

  it('the money rows: only the ledger writes them; a new user is created with an empty balance', () => {
    expect(found(writes, ['ledger', 'users/user.ts'])).toEqual([])
    expect(found(writes).length).toBeGreaterThanOrEqual(3)
  })

  it('the environment: only the programs', () => {
    const users = sources.flatMap((source) =>
      source.nodes
        .filter((node) => propertyOf(node) === 'env' && nameOf(childOf(node, 'object')) === 'process')
        .map(() => source.path),
    )
    expect([...new Set(users)]).toEqual([
      'cli/admin.ts',
      'cli/audit.ts',
      'cli/catalog-list.ts',
      'cli/doctor.ts',
      'cli/gateway-check.ts',
      'cli/migrate.ts',
      'main.ts',
      'sandbox/gateway/main.ts',
      'sandbox/main.ts',
    ])
    expect(imports.filter((one) => one.from === 'node:process').map(shown)).toEqual([])
  })

  it('time and chance: only the programs and what they pass in', () => {
    const direct =
      /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\(|\brandom(Bytes|UUID|Int)\(/
    // What a thread takes of the machine is looked at in the machine's time.
    const machine = ['media/thread.ts']
    const programs = [
      'main.ts',
      'runtime/clock.ts',
      'runtime/ids.ts',
      'sandbox/sandbox.ts',
      'sandbox/gateway/main.ts',
    ]
    // The page of the sandbox uses the timers and the clock of its browser.
    const browser = ['sandbox/page']
    expect(found(direct, [...programs, ...machine, ...browser])).toEqual([])
  })
})

describe('every file', () => {
  const length = (text: string) => text.trimEnd().split('\n').length

  it('has at most 250 lines, unless it is generated', () => {
    const written = sources.filter(({ text }) => !text.startsWith('// Generated '))
    const over = written.filter(({ text }) => length(text) > 250).map(({ path }) => path)
    expect(over).toEqual([])
  })

  const isFunction = ({ type }: Node) =>
    /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)
  const lines = ({ text }: Source, { start, end }: Node) => length(text.slice(start, end))

  /** Functions inside count for themselves: a factory with its closures is what others write as a class. */
  function ownLines(source: Source, one: Node): number {
    const isInside = (outer: Node) => (node: Node) =>
      node !== outer && node.start >= outer.start && node.end <= outer.end
    const inside = source.nodes.filter(isFunction).filter(isInside(one))
    const nearest = inside.filter((node) => !inside.some((other) => isInside(other)(node)))
    return nearest.reduce((rest, node) => rest - lines(source, node) + 1, lines(source, one))
  }

  it('has functions of at most 60 lines', () => {
    const long = sources.flatMap((source) =>
      source.nodes
        .filter((node) => isFunction(node) && ownLines(source, node) > 60)
        .map((node) => placeOf(source, node)),
    )
    expect(long).toEqual([])
  })

  it('opens with a comment that says what it is', () => {
    const silent = sources.filter(({ text }) => !/^(\/\/ \S.{10,}|\/\*\*?\s)/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('has no any', () => {
    const loose = (source: Source) => source.nodes.filter(({ type }) => type === 'TSAnyKeyword')
    expect(sources.flatMap((source) => loose(source).map((node) => placeOf(source, node)))).toEqual([])
  })

  it('silences no checker without a reason and leaves nothing to do', () => {
    expect(
      found(/@ts-(ignore|nocheck|expect-error)|biome-ignore (?!\S+: \S.{10})|\b(TODO|FIXME|HACK|XXX)\b/),
    ).toEqual([])
  })
})
