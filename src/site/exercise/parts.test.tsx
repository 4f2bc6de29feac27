/**
 * What stands round the editor and above it, as markup: names, states and sentences that do not
 * depend on a browser.
 */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ProblemList } from './editor/CodeEditor'
import { EditorToolbar, LazyCodeEditor } from './editor/Program'
import { RungPicker } from './RungPicker'
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

const markup = (passed: readonly number[] = [], isRunning = false): string =>
  renderToStaticMarkup(<RungPicker lesson="a" rung={1} rungs={2} {...{ passed, isRunning }} />)

describe('the rungs of a mend', () => {
  it('light up behind one that was passed', () => {
    expect(markup()).not.toContain('mend-rung-lit')
    expect(markup([1])).toContain('Exercise 1 of 2<span aria-hidden="true"> ✓')
    expect(markup([1]).match(/mend-rung-lit/g)).toHaveLength(1)
    expect(markup([1, 2])).not.toContain('mend-rung-lit')
  })
  it('stay while one is graded', () => expect(markup([], true)).not.toContain('href'))
})

const nothing = () => undefined
it.each([true, false])('the toolbar has nothing to reset at the start, and reports storage: %s', (isKept) => {
  const markup = renderToStaticMarkup(
    <EditorToolbar code={{ text: 'a', start: 'a', isKept }} onUndo={nothing} onReset={nothing} />,
  )
  expect(markup.match(/aria-disabled="true"/g)).toHaveLength(1)
  expect(markup.includes('small warn')).toBe(!isKept)
})

describe('problems', () => {
  it('are a list with a name, each with its line', () => {
    const problems = [{ line: 4, column: 0, message: 'a is not defined.', severity: 'error' }] as const
    const markup = renderToStaticMarkup(<ProblemList problems={problems} onGoTo={nothing} />)
    expect(markup).toContain(
      '<ul class="editor-problems small stack-4" aria-label="Problems in the program">',
    )
    expect(markup.replace(/<[^>]*>/g, '')).toBe('Line 4: a is not defined.')
  })
  it('take no room where there are none', () =>
    expect(renderToStaticMarkup(<ProblemList problems={[]} onGoTo={nothing} />)).not.toContain('<ul'))
})

const editor = {
  language: 'javascript',
  text: 'one\ntwo <b>',
  start: '',
  label: 'Program',
  problems: [],
  litLine: null,
  litTone: 'host',
  onChange: nothing,
  onRun: nothing,
  ref: null,
} as const

it('shows the program while the editor is loaded, by its name', () => {
  const markup = renderToStaticMarkup(<LazyCodeEditor {...editor} />)
  expect(markup).toContain('aria-busy="true"')
  expect(markup).toContain('aria-label="Program"')
  expect(markup).toContain('two &lt;b&gt;')
})
