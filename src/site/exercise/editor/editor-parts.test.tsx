/** What stands round the editor, as markup: names, states and sentences that do not depend on a browser. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { MendCode } from '../../state/mend-code'
import { CodeNotices } from './CodeNotices'
import { EditorToolbar, type EditorToolbarProps } from './EditorToolbar'
import { LazyCodeEditor } from './LazyCodeEditor'
import { offsetOf, PlainCodeEditor } from './PlainCodeEditor'
import { ProblemList } from './ProblemList'
import { ELSEWHERE, KILLED, savingWords, START_CHANGED } from './saving-words'

const nothing = () => undefined
const code: MendCode = {
  text: 'a',
  start: 'a',
  startChanged: false,
  savedAt: null,
  discarded: null,
  elsewhere: null,
  saving: 'kept',
  lastRunKilledTheTab: false,
}
/** The opening tag of the button of that name; '' where there is none. */
const button = (markup: string, name: string): string =>
  [...markup.matchAll(/(<button[^>]*>)([^<]*)</g)].find(([, , text]) => text === name)?.[1] ?? ''

describe('the toolbar', () => {
  const toolbar = (changed: Partial<MendCode>, props: Partial<EditorToolbarProps> = {}): string =>
    renderToStaticMarkup(
      <EditorToolbar
        code={{ ...code, ...changed }}
        history={{ canUndo: false, canRedo: false }}
        showsDiff={false}
        onUndo={nothing}
        onRedo={nothing}
        onReset={nothing}
        onBringBack={nothing}
        onShowDiff={nothing}
        {...props}
      />,
    )

  it('has nothing to undo, redo or reset at the start', () => {
    const markup = toolbar({})
    for (const name of ['Undo', 'Redo', 'Reset to start'])
      expect(button(markup, name), name).toContain('aria-disabled="true"')
    expect(button(markup, 'Bring my text back')).toBe('')
  })
  it('has all of it once there is', () => {
    const markup = toolbar({ text: 'b' }, { history: { canUndo: true, canRedo: true } })
    for (const name of ['Undo', 'Redo', 'Reset to start'])
      expect(button(markup, name), name).toContain('aria-disabled="false"')
  })
  it('brings back what is not there already', () => {
    const discarded = { text: 'mine', savedAt: '' }
    expect(button(toolbar({ discarded }), 'Bring my text back')).not.toBe('')
    expect(button(toolbar({ discarded, text: 'mine' }), 'Bring my text back')).toBe('')
  })
  it.each([true, false])('tells whether the changes are shown: %s', (showsDiff) => {
    expect(button(toolbar({}, { showsDiff }), 'Show my changes')).toContain(
      `aria-pressed="${String(showsDiff)}"`,
    )
  })
  it.each(['kept', 'off', 'too-large', 'newer'] as const)('reports storage: %s', (saving) => {
    const markup = toolbar({ saving })
    expect(markup).toContain(savingWords[saving])
    expect(markup.includes('small warn')).toBe(saving !== 'kept')
  })
})

describe('notices', () => {
  const notices = (changed: Partial<MendCode>): string =>
    renderToStaticMarkup(
      <CodeNotices
        code={{ ...code, ...changed }}
        onDismiss={nothing}
        onTakeElsewhere={nothing}
        onKeepMine={nothing}
      />,
    )
  it('are none where nothing has happened', () => {
    expect(notices({})).toBe('')
  })
  it('report a killed tab, another tab, another start', () => {
    expect(notices({ lastRunKilledTheTab: true })).toContain(KILLED)
    expect(notices({ startChanged: true })).toContain(START_CHANGED)
    const elsewhere = notices({ elsewhere: { text: 'b', savedAt: '' } })
    expect(elsewhere).toContain(ELSEWHERE)
    expect(button(elsewhere, 'Take the other text')).not.toBe('')
    expect(button(elsewhere, 'Keep this one')).not.toBe('')
  })
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
  it('take no room where there are none', () => {
    expect(renderToStaticMarkup(<ProblemList problems={[]} onGoTo={nothing} />)).not.toContain('<ul')
  })
})

const editor = {
  language: 'javascript',
  value: 'one\ntwo <b>',
  start: '',
  label: 'Program',
  scope: null,
  problems: [],
  litLine: null,
  showsDiff: false,
  onChange: nothing,
  onRun: nothing,
} as const

it('shows the program while the editor is loaded, by its name', () => {
  const markup = renderToStaticMarkup(<LazyCodeEditor {...editor} />)
  expect(markup).toContain('aria-busy="true"')
  expect(markup).toContain('aria-label="Program"')
  expect(markup).toContain('two &lt;b&gt;')
})

describe('the plain field', () => {
  it('has the program, its name and its rows', () => {
    const markup = renderToStaticMarkup(<PlainCodeEditor {...editor} isReadOnly />)
    expect(markup).toMatch(/<textarea[^>]*aria-label="Program"[^>]*rows="6"[^>]*readOnly=""/)
  })
  it.each([
    [1, 0, 0],
    [2, 1, 3],
    [2, 99, 4],
    [99, 0, 4],
  ])('finds line %i, column %i at %i', (line, column, at) => {
    expect(offsetOf('a\nbc', line, column)).toBe(at)
  })
})
