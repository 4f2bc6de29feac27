/** The step that draws the curve runs the experiment's preset, and says only what a run can show. */
import { describe, expect, it } from 'vitest'
import { syncStalls } from '../../experiments/sync-stalls/meta'
import { lessonOf } from '../testing/explained'
import { NO_FACTS, wordsFor } from '../condition'

describe('the step with the curve', () => {
  const step = lessonOf('sync-stalls').steps.find(({ id }) => id === 'curve')
  const preset = syncStalls.presets.find(({ id }) => id === 'curve')
  const words = (facts: Partial<typeof NO_FACTS>) =>
    wordsFor(step?.lookFor ?? [], { ...NO_FACTS, ...facts }).join('\n')

  it('runs the preset', () => {
    expect(preset).toBeDefined()
    expect(step?.action?.values).toEqual(preset?.values)
  })

  it('asks for a chart only where there are timestamps', () => {
    expect(words({ timestamps: true })).toContain('Where is it level')
    expect(words({ timestamps: false })).toContain('there is no chart')
    expect(words({ timestamps: false })).not.toContain('Where is it level')
  })

  it('explains looks only after a run on a device that is no CPU', () => {
    const before = words({ timestamps: true, software: false })
    const after = words({ ran: true, timestamps: true, software: false })
    expect(before).not.toContain('same look')
    expect(after).toContain('same look')
    expect(words({ ran: true, timestamps: true, software: true })).not.toContain('same look')
    expect(words({ ran: true, timestamps: false, software: false })).not.toContain('same look')
  })
})
