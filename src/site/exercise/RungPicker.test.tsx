import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { RungPicker } from './RungPicker'

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
