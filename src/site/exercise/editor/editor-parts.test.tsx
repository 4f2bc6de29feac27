/** What stands round the editor, as markup: names, states and sentences that do not depend on a browser. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Code } from '../store'
import { ProblemList } from './CodeEditor'
import { EditorToolbar, LazyCodeEditor } from './Program'

const nothing = () => undefined
const code: Code = {
  text: 'a',
  start: 'a',
  isKept: true,
}
/** The opening tag of the button of that name; '' where there is none. */
const button = (markup: string, name: string): string =>
  [...markup.matchAll(/(<button[^>]*>)([^<]*)</g)].find(([, , text]) => text === name)?.[1] ?? ''

describe('the toolbar', () => {
  const toolbar = (
    changed: Partial<Code>,
    props: Partial<Parameters<typeof EditorToolbar>[0]> = {},
  ): string =>
    renderToStaticMarkup(
      <EditorToolbar
        code={{ ...code, ...changed }}
        history={{ canUndo: false, canRedo: false }}
        onUndo={nothing}
        onRedo={nothing}
        onReset={nothing}
        {...props}
      />,
    )

  it('has nothing to undo, redo or reset at the start', () => {
    const markup = toolbar({})
    for (const name of ['Undo', 'Redo', 'Reset to start'])
      expect(button(markup, name), name).toContain('aria-disabled="true"')
  })
  it('has all of it once there is', () => {
    const markup = toolbar({ text: 'b' }, { history: { canUndo: true, canRedo: true } })
    for (const name of ['Undo', 'Redo', 'Reset to start'])
      expect(button(markup, name), name).toContain('aria-disabled="false"')
  })
  it.each([true, false])('reports storage: %s', (isKept) =>
    expect(toolbar({ isKept }).includes('small warn')).toBe(!isKept),
  )
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
  onHistory: nothing,
  ref: null,
} as const

it('shows the program while the editor is loaded, by its name', () => {
  const markup = renderToStaticMarkup(<LazyCodeEditor {...editor} />)
  expect(markup).toContain('aria-busy="true"')
  expect(markup).toContain('aria-label="Program"')
  expect(markup).toContain('two &lt;b&gt;')
})
