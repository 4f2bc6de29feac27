import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRun } from '../../trace/codec'
import { sampleReport } from '../../trace/testing/sample-report'
import { readResult, resultText, sharedResult } from './result-link'

const FOLDER = 'public/recordings'
const recordings = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.hdl.gz'),
)

describe('the result of a run in a link', () => {
  it.each(recordings)('of %s comes back as it was, in few characters', async (name) => {
    const run = await decodeRun(readFileSync(`${FOLDER}/${name}`))
    if (!run.ok) throw new Error(run.error.message)
    const { report } = run.value
    if (!report) return
    for (const metric of report.metrics) {
      const result = sharedResult(report, metric)
      const text = resultText(result)
      expect(readResult(text)).toEqual({ ok: true, value: result })
      expect(text).toMatch(/^[\w-]+$/)
      // Beside it stand settings of at most 400 characters (site/ui/run/links.test.ts) and the address of the site.
      expect(text.length).toBeLessThan(1400)
    }
  })

  const whole = resultText(sharedResult(sampleReport, sampleReport.metrics[0]))

  it('that was cut or changed says so', () => {
    const problemOf = (text: string) => {
      const read = readResult(text)
      return read.ok ? '' : read.error
    }
    for (const text of ['', whole.slice(0, -7), whole.replace(/.$/, '!'), `1${whole}`])
      expect(problemOf(text)).toContain('cut or changed')
    expect(problemOf(`2${whole.slice(1)}`)).toContain('later version')
  })

  it('is a sentence for whatever anyone writes into it, with a sound checksum too', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        // As resultText writes it.
        const text = resultText(JSON.parse(json) as Parameters<typeof resultText>[0])
        expect(readResult(text)).toEqual({
          ok: false,
          error: 'The link is damaged: it holds no result. Ask for it anew, or for the file.',
        })
      }),
    )
  })
})
