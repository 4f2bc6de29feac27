import { expect, it } from 'vitest'
import type { RunInfo } from '../../trace/schema'
import { adapterName, dateOf } from './run-words'

const info = (more: Partial<RunInfo>): RunInfo => ({
  experiment: '',
  params: {},
  derived: {},
  adapter: null,
  userAgent: '',
  crossOriginIsolated: true,
  startedAt: '2026-11-21T23:30:00Z',
  origin: 'live',
  ...more,
})

it('says what is not known as not known', () => {
  expect(adapterName(info({}))).toBe('an unnamed adapter')
  expect(dateOf(info({}))).toBe('21 Nov 2026')
  expect(dateOf(info({ startedAt: 'yesterday' }))).toBe('')
})
