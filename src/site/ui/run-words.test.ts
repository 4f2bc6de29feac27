import { expect, it } from 'vitest'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import { adapterName, dateOf } from './run-words'

it('says what is not known as not known', () => {
  expect(adapterName(testInfo)).toBe('an unnamed adapter')
  expect(dateOf({ ...testInfo, startedAt: '2026-11-21T23:30:00Z' })).toBe('21 Nov 2026')
  expect(dateOf({ ...testInfo, startedAt: 'yesterday' })).toBe('')
})
