/**
 * Every Python sample that the site prints was run on a GPU as it is printed now, and did what the
 * words beside it say.
 */
import { describe, expect, it } from 'vitest'
import { CLAIMS_OF_CODE } from './testing/claims-code'
import { CLAIMS_OF_QUESTIONS } from './testing/claims-questions'
import { CLAIMS_OF_WORDS } from './testing/claims-words'
import { Came, keptResults } from './testing/kept'
import { blocksElsewhere, printedSamples } from './testing/printed'

const CLAIMS = { ...CLAIMS_OF_CODE, ...CLAIMS_OF_WORDS, ...CLAIMS_OF_QUESTIONS }
const kept = keptResults()
const samples = printedSamples()

it('knows all Python that is printed', () => {
  expect(blocksElsewhere()).toEqual([])
  expect([...samples.keys()].sort()).toEqual(Object.keys(CLAIMS).sort())
  expect(Object.keys(kept).filter((name) => !samples.has(name))).toEqual([])
})

const named = [...samples].map(([name, sample]) => ({ name, ...sample }))

describe.each(named)('$name', ({ name, text, hash, beside }) => {
  const result = kept[name]
  const command = `run on a machine with a GPU, from the root: python3 src/lessons/samples/run.py ${name}`

  it('ran on a GPU as it is printed', () => {
    expect(result, `never run: ${command}`).toBeDefined()
    expect(result?.hash, `changed since it was run: ${command}`).toBe(hash)
    expect(result?.error ?? '', `did not run through: ${command}`).toBe('')
    expect(result).toMatchObject({ ran: true, cuda: expect.any(String) as string })
    expect(result?.device).not.toBe('cpu')
  })

  const claims = (CLAIMS[name] ?? []).map(([sentence, holds]) => ({ sentence, holds }))

  it.each(claims)('has beside it: $sentence', ({ sentence }) =>
    expect(beside.replaceAll(/\s+/g, ' ')).toContain(sentence),
  )

  it.each(claims)('did what is said: $sentence', ({ holds }) => {
    if (!result) throw new Error(`never run: ${command}`)
    expect(holds(new Came(result, text))).toBe(true)
  })
})
