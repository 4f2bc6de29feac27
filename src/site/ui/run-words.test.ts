import { expect, it } from 'vitest'
import type { RunInfo } from '../../trace/schema'
import { adapterName, browserName, dateOf } from './run-words'

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

it('names a browser by the part of its user agent that is its own', () => {
  const chrome = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  expect(browserName(info({ userAgent: chrome }))).toBe('Chrome 156')
  expect(browserName(info({ userAgent: `${chrome} Edg/155.0.0.0` }))).toBe('Edge 155')
  expect(browserName(info({ userAgent: 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/150.0' }))).toBe(
    'Firefox 150',
  )
  const safari =
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15'
  expect(browserName(info({ userAgent: safari }))).toBe('Safari 26')
  expect(browserName(info({ userAgent: 'test' }))).toBe('')
})

it('says what is not known as not known', () => {
  expect(adapterName(info({}))).toBe('an unnamed adapter')
  expect(dateOf(info({}))).toBe('21 Nov 2026')
  expect(dateOf(info({ startedAt: 'yesterday' }))).toBe('')
})
