/** What stands round the editor, as markup: names, states and sentences that do not depend on a browser. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ProblemList } from './CodeEditor'
import { EditorToolbar, LazyCodeEditor } from './Program'

const nothing = () => undefined
it.each([true, false])(
  'the toolbar has nothing to undo, redo or reset at the start, and reports storage: %s',
  (isKept) => {
    const markup = renderToStaticMarkup(
      <EditorToolbar
        code={{ text: 'a', start: 'a', isKept }}
        history={{ canUndo: false, canRedo: false }}
        onUndo={nothing}
        onRedo={nothing}
        onReset={nothing}
      />,
    )
    expect(markup.match(/aria-disabled="true"/g)).toHaveLength(3)
    expect(markup.includes('small warn')).toBe(!isKept)
  },
)

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
