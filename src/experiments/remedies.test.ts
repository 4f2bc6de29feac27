/**
 * Checks remedies against the parameters of the experiment, the causes that analysis knows and the
 * variants that were recorded.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { GAP_CAUSES } from '../trace/gaps'
import { decodeRun } from '../trace/codec'
import { experiments } from './testing/catalog'
import type { Declaration } from './declare/experiment'
import { parseParams } from './experiment'

const withRemedies = experiments.filter(({ remedies }) => remedies !== undefined)

/** Variants of the recorded run, or those that a run of the defaults is to have. */
async function variantsOf({ id, params, variants }: Declaration): Promise<ReadonlySet<string>> {
  const file = `public/recordings/${id}.hdl.gz`
  if (!existsSync(file))
    return new Set(variants(Object.fromEntries(params.map((param) => [param.name, param.default]))))
  const decoded = await decodeRun(await readFile(file))
  if (!decoded.ok) throw new Error(decoded.error.message)
  return new Set(decoded.value.report?.metrics.map(({ variant }) => variant))
}

describe('remedies', () => {
  it('are there for the experiments that leave the device idle on purpose', () => {
    expect(withRemedies.map(({ id }) => id).sort()).toEqual([
      'async-submission',
      'overlapped-uploads',
      'staging-buffers',
      'stay-on-device',
      'sync-stalls',
      'tensor-residence',
    ])
  })

  it.each(withRemedies.map((meta) => [meta.id, meta] as const))(
    '%s: each has a cause, values that are accepted, and variants that such a run has',
    async (_, meta) => {
      const fixed = await variantsOf(meta)
      const options = meta.params.flatMap((param) =>
        param.type === 'list' ? param.options.map(({ value }) => value) : [],
      )
      for (const { variant, cause, by, change, values } of meta.remedies ?? []) {
        expect(GAP_CAUSES).toContain(cause)
        expect(by).not.toBe(variant)
        expect(change).toMatch(/^[a-z].*[^.]$/)
        expect(parseParams(meta, values)).toMatchObject({ ok: true })
        for (const name of [variant, by]) {
          // True: every run of the experiment has the variant, or the values ask for it.
          const asked = Object.values(values).some(
            (value) =>
              Array.isArray(value) && value.some((one: string) => name === one || name === `ring-${one}`),
          )
          const isOption = options.some((option) => option === name || `ring-${option}` === name)
          expect(isOption ? asked : fixed.has(name), `${name} of ${variant} to ${by}`).toBe(true)
        }
      }
    },
  )
})
