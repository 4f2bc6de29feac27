import { expect, it } from 'vitest'
import { faultWords } from './FaultNotice'

it('every fault has a heading and something to try', () => {
  for (const [code, { title, hint }] of Object.entries(faultWords)) {
    expect(title, code).toMatch(/^[A-Z‘].*[^.]$/)
    expect(hint, code).toMatch(/\.$/)
  }
})
