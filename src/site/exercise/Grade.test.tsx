import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Check } from '../../exercises/types'
import { CheckList } from './Grade'

const MUST = [
  { id: 'output', text: 'It is right.' },
  { id: 'ended', text: 'It ends.', isCommon: true },
  { id: 'clock', text: 'It tells the time.', isCommon: true },
] as const

/** By check: whether it is folded, and its outcome. */
function shown(checks: readonly Check[] | null): Readonly<Record<string, string>> {
  const [open = '', folded = ''] = renderToStaticMarkup(
    <CheckList must={MUST} checks={checks} told={null} />,
  ).split('<details')
  const found = (markup: string, where: string) =>
    [...markup.matchAll(/data-check="(\w+)" data-outcome="([\w-]+)"/g)].map(
      ([, id = '', outcome = '']) => [id, `${where} ${outcome}`] as const,
    )
  return Object.fromEntries([...found(open, 'shown'), ...found(folded, 'folded')])
}

describe('what must hold', () => {
  it('is every rule, those of every mend folded', () =>
    expect(shown(null)).toEqual({ output: 'shown open', ended: 'folded open', clock: 'folded open' }))
  it('shows what one of them found', () => {
    const checks = [
      { id: 'output', outcome: 'yes', text: '' },
      { id: 'ended', outcome: 'yes', text: '' },
      { id: 'clock', outcome: 'no', text: '' },
    ] as const
    expect(shown(checks)).toEqual({ output: 'shown yes', ended: 'folded yes', clock: 'shown no' })
  })
})
