/**
 * A run may end with maps that nobody awaits: its buffers are destroyed, and the rejection is
 * nobody's.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { stubWebGpu } from '../experiments/testing/tiny'
import { createReadback, createStaging } from '../lab/staging'
import type { RunContext } from './run-context'
import { openFakeContext } from './testing/fake-device'

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeEach(() => {
  stubWebGpu()
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

const SIZE = 64

/** Each leaves at least one map pending, and is not to wait for it. */
const bodies: Readonly<Record<string, (context: RunContext) => Promise<() => Promise<unknown>>>> = {
  'staging buffers for programs': async (context) => {
    const staging = await createStaging(context, 3, SIZE)
    return () => staging.map(3)
  },
  'a program’s own ring': async (context) => {
    const { buffers } = await createStaging(context, 2, SIZE)
    return () => {
      // oxlint-disable-next-line typescript/no-floating-promises -- what is tried
      for (const buffer of buffers) void buffer.mapAsync(GPUMapMode.WRITE)
      return Promise.resolve()
    }
  },
  'a program’s own readback': async (context) => {
    const readback = await createReadback(context, SIZE)
    return () => readback.mapAsync(GPUMapMode.READ)
  },
}

/** How the run ends while they are pending. */
const endings: Readonly<Record<string, (context: RunContext, fake: { lose: () => void }) => void>> = {
  'by itself': () => undefined,
  'with an error': () => {
    throw new TypeError('of the body')
  },
  cancelled: (context) => context.cancel(),
  'with its device': (_, fake) => fake.lose(),
}

it.each(Object.keys(bodies).flatMap((what) => Object.keys(endings).map((how) => [what, how] as const)))(
  '%s, where the run ends %s',
  async (what, how) => {
    // Nothing is reported complete: what is asked for stays pending.
    const { context, fake } = openFakeContext({ autoComplete: false }, false)
    const ended = await context
      .use(async () => {
        const ask = await bodies[what]?.(context)
        // Neither awaited nor caught where it is a program's.
        const asked = ask?.()
        if (!what.startsWith('a program')) asked?.catch(() => undefined)
        endings[how]?.(context, fake)
        await Promise.resolve()
        context.check()
      })
      .then(
        () => 'ended',
        () => 'failed',
      )
    expect(ended).toBe(how === 'by itself' ? 'ended' : 'failed')
    expect(fake.buffers.map(({ isDestroyed, mapState }) => [isDestroyed, mapState])).toEqual(
      fake.buffers.map(() => [true, 'unmapped']),
    )
    // Node tells of unhandled rejections once the microtasks are done, before the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  },
)
