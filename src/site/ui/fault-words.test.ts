import { expect, it } from 'vitest'
import { faultWords, webgpuHelp } from './FaultNotice'

it('every fault has a heading and something to try', () => {
  for (const [code, { title, hint }] of Object.entries(faultWords)) {
    expect(title, code).toMatch(/^[A-Z‘].*[^.]$/)
    expect(hint, code).toMatch(/\.$/)
  }
})

it.each([
  ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (X11; Linux; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15', 'Safari'],
])('puts the own browser first: %s', (userAgent, browser) => {
  const help = webgpuHelp(userAgent)
  expect(help[0]?.browser).toContain(browser)
  expect(help).toHaveLength(3)
})
