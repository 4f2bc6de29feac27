import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments } from './testing/catalog'
import { describeRange, formatParam, parseParams } from './experiment'
import { forAll } from '../testing/for-all'

describe.each(experiments.map((meta) => [meta.id, meta] as const))('parameters of %s', (_, meta) => {
  it('has defaults and short values that it accepts itself', () => {
    expect(parseParams(meta, {}).ok).toBe(true)
    expect(parseParams(meta, meta.short).ok).toBe(true)
  })

  it('reads back what it writes', () => {
    const parsed = parseParams(meta, {})
    if (!parsed.ok) throw new Error(parsed.error.message)
    const written = Object.fromEntries(
      Object.entries(parsed.value).map(([name, value]) => [name, formatParam(value)]),
    )
    expect(parseParams(meta, written)).toEqual(parsed)
  })

  it('refuses an unknown parameter, naming it', () => {
    const refused = parseParams(meta, { bogus: 1 })
    expect(refused.ok).toBe(false)
    if (!refused.ok) expect(refused.error.message).toContain("'bogus'")
  })

  it('refuses any bad value with one line naming parameter, range and value', () => {
    forAll(fc.constantFrom(...meta.params), fc.anything(), (param, value) => {
      const parsed = parseParams(meta, { [param.name]: value })
      if (parsed.ok) return
      expect(parsed.error.message).toContain(`'${param.name}'`)
      expect(parsed.error.message).toContain(describeRange(param))
    })
  })

  it('never lets a number outside its range through', () => {
    for (const param of meta.params) {
      if (param.type !== 'number') continue
      for (const bad of [
        param.min - 1,
        param.max + 1,
        Number.NaN,
        Infinity,
        '',
        ' 5',
        '0x10',
        '1e999',
        'five',
      ])
        expect(parseParams(meta, { [param.name]: bad }).ok, `${param.name} = ${String(bad)}`).toBe(false)
      if (param.integer) expect(parseParams(meta, { [param.name]: param.min + 0.5 }).ok).toBe(false)
    }
  })

  it('takes lists without repetition only', () => {
    for (const param of meta.params) {
      if (param.type !== 'list') continue
      const [first, second] = param.options.map((option) => option.value)
      expect(parseParams(meta, { [param.name]: `${String(first)},${String(second)}` }).ok).toBe(true)
      for (const bad of [
        ...(param.default.length === 0 ? [] : ['']),
        `${String(first)},${String(first)}`,
        'bogus',
        `${String(first)},`,
      ])
        expect(parseParams(meta, { [param.name]: bad }).ok, bad).toBe(false)
    }
  })
})
