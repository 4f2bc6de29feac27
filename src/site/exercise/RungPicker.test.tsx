import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { RungPicker } from './RungPicker'

const markup = (rungs: number, passed: readonly number[] = [], isRunning = false): string =>
  renderToStaticMarkup(<RungPicker lesson="a" rung={1} {...{ rungs, passed, isRunning }} />)

describe('the rungs of a mend', () => {
  it('are not shown where there is one', () => expect(markup(1)).toBe(''))
  it('are named by number and linked to, the open one marked', () => {
    expect(markup(2)).toContain('aria-current="step">Exercise 1 of 2</a>')
    expect(markup(2)).toContain('href="./lessons/a/#mend/2"')
    expect(markup(2)).not.toContain('mend-rung-lit')
  })
  it('light up behind one that was passed', () => {
    expect(markup(2, [1])).toContain('Exercise 1 of 2<span aria-hidden="true"> ✓')
    expect(markup(2, [1]).match(/mend-rung-lit/g)).toHaveLength(1)
    expect(markup(2, [1, 2])).not.toContain('mend-rung-lit')
  })
  it('stay while one is graded', () => expect(markup(2, [], true)).not.toContain('href'))
})
