// The composer of the features must call the same handlers in the same order as grammY's own composer. ROUTES_SEED repeats a run's trees.

import { Api, Composer, Context } from 'grammy'
import type { Update } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { Routes } from '../../src/bot/routes.ts'
import { seededRandom } from '../../src/sandbox/random.ts'

const seed = Number(process.env.ROUTES_SEED ?? Date.now() % 1_000_000)

const me = { id: 1, is_bot: true, first_name: 'Bot', username: 'test_bot' } as Context['me']
const update = {
  update_id: 1,
  message: { message_id: 1, date: 0, chat: { id: 5, type: 'private', first_name: 'A' }, text: 'hi' },
} as Update
const context = () => new Context(update, new Api('1:token'), me)

/** Gives two updates to a composer, flat (`Routes`) or of grammY. @returns the names of the called handlers, in order */
async function callsOf(
  build: (composer: Composer<Context>, log: (name: string) => void) => void,
  isFlat: boolean,
) {
  const calls: string[] = []
  const composer = isFlat ? new Routes<Context>() : new Composer<Context>()
  build(composer, (name) => void calls.push(name))
  const middleware = composer.middleware()
  for (const at of [1, 2]) {
    calls.push(`update ${at}`)
    await middleware(context(), async () => void calls.push('end'))
  }
  return calls
}

/** Builds a random tree of handlers, filters and composers. */
function randomTree(treeSeed: number) {
  return (root: Composer<Context>, log: (name: string) => void) => {
    const random = seededRandom(treeSeed)
    let handlers = 0
    const install = (composer: Composer<Context>, depth: number) => {
      for (let left = Math.floor(random() * 4); left >= 0; left -= 1) installOne(composer, depth)
    }
    const installOne = (composer: Composer<Context>, depth: number) => {
      if (depth === 0 || random() < 0.4) return void composer.use(handler())
      if (random() < 0.3) return void composer.use(separate(depth))
      const fits = random() < 0.7
      install(
        composer.filter(() => fits),
        depth - 1,
      )
    }
    const separate = (depth: number) => {
      const inner = root instanceof Routes ? new Routes<Context>() : new Composer<Context>()
      install(inner, depth - 1)
      return inner
    }
    const handler = () => {
      handlers += 1
      const name = `handler ${handlers}`
      const goesOn = random() < 0.8
      const isLate = random() < 0.5
      return async (_: Context, next: () => Promise<void>) => {
        log(name)
        if (isLate) await Promise.resolve()
        if (goesOn) await next()
        log(`${name} ends`)
      }
    }
    install(root, 4)
  }
}

describe('routes', () => {
  it(`call the handlers of random trees as grammY does (ROUTES_SEED=${seed})`, async () => {
    for (let at = 0; at < 300; at += 1) {
      const tree = randomTree(seed + at)
      expect(await callsOf(tree, true), `tree ${seed + at}`).toEqual(await callsOf(tree, false))
    }
  })

  it('install a composer of grammY with all that it contains', async () => {
    const calls = await callsOf((composer, log) => {
      const inner = new Composer<Context>()
      composer.use(inner)
      composer.use(() => log('after'))
      inner.on('message:text', (_, next) => {
        log('inner')
        return next()
      })
    }, true)
    expect(calls).toEqual(['update 1', 'inner', 'after', 'update 2', 'inner', 'after'])
  })

  it('pass an error of a handler on, also of one that is not asynchronous', async () => {
    const routes = new Routes<Context>()
    routes
      .filter(() => true)
      .use(() => {
        throw new Error('refused')
      })
    const handled = async () => routes.middleware()(context(), async () => undefined)
    await expect(handled()).rejects.toThrow('refused')
  })

  it('do not evaluate the filters behind one that does not match', async () => {
    const asked: string[] = []
    const routes = new Routes<Context>()
    const outer = routes.filter(() => asked.push('outer') > 100)
    outer.filter(() => asked.push('inner') > 0).use(() => undefined)
    await routes.middleware()(context(), async () => void asked.push('end'))
    expect(asked).toEqual(['outer', 'end'])
  })
})
