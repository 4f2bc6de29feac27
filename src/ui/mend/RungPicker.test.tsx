import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { RungPicker } from './RungPicker'

const markup = (rungs: number, isRunning = false): string =>
  renderToStaticMarkup(<RungPicker rung={2} rungs={rungs} isRunning={isRunning} onChoose={() => undefined} />)

describe('the rungs of a mend', () => {
  it('are not shown where there is one', () => {
    expect(markup(1)).toBe('')
  })
  it('are a choice of several, with the open one chosen', () => {
    expect([...markup(3).matchAll(/<option([^>]*)>([^<]*)</g)].map(([, , text]) => text)).toEqual([
      '1 of 3',
      '2 of 3',
      '3 of 3',
    ])
    expect(markup(3)).toMatch(/<option value="2" selected="">/)
  })
  it('stay while one is graded', () => {
    expect(markup(2, true)).toContain('disabled')
    expect(markup(2)).not.toContain('disabled')
  })
})
