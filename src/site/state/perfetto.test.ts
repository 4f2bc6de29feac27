/** Perfetto's page, which tests cannot reach, is played by its documentation: it answers 'PING' with 'PONG'. */
import { expect, it, vi } from 'vitest'
import { openInPerfetto, PERFETTO_ORIGIN } from './perfetto'

const trace = { title: 'a run', fileName: 'run.trace.json.gz', buffer: new ArrayBuffer(8) }

/** A page that is not isolated, with the window that it opens. `answers`: what Perfetto's page says, and from where. */
function pageBeside(answers: readonly (readonly [data: string, origin: string])[]) {
  const got: unknown[] = []
  const own = new EventTarget()
  const perfetto = {
    postMessage: (message: unknown, target: string) => {
      got.push([message, target])
      if (message !== 'PING') return
      for (const [data, origin] of answers)
        own.dispatchEvent(Object.assign(new Event('message'), { source: perfetto, origin, data }))
    },
  }
  vi.stubGlobal('crossOriginIsolated', false)
  vi.stubGlobal('window', own)
  vi.stubGlobal('open', (_address: string, _target?: string, features = '') =>
    features.includes('noopener') ? null : perfetto,
  )
  return got
}

it('a page that is not isolated hands a run over itself, once, and to Perfetto alone', async () => {
  const got = pageBeside([
    ['PONG', 'https://other.test'],
    ['something else', PERFETTO_ORIGIN],
    ['PONG', PERFETTO_ORIGIN],
    ['PONG', PERFETTO_ORIGIN],
  ])
  expect(await openInPerfetto(trace)).toContain('Perfetto has the run')
  expect(got).toEqual([
    ['PING', PERFETTO_ORIGIN],
    [{ perfetto: trace }, PERFETTO_ORIGIN],
  ])
})

it('a window that was not opened is said', async () => {
  pageBeside([])
  vi.stubGlobal('open', () => null)
  await expect(openInPerfetto(trace)).rejects.toThrow('pop-ups are blocked')
})
