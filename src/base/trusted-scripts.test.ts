import { expect, it } from 'vitest'
import { isOwnScript } from './trusted-scripts'

const PAGE = 'https://lab.example/some/where/#/device'

it.each([
  './assets/worker-1.js',
  '/other/worker.js',
  'https://lab.example/assets/worker-1.js',
  'blob:https://lab.example/5d1c9b6e-0000-4000-8000-000000000000',
])('%s is a script of the site', (address) => {
  expect(isOwnScript(address, PAGE)).toBe(true)
})

it.each([
  'https://elsewhere.example/worker.js',
  '//elsewhere.example/worker.js',
  'http://lab.example/worker.js',
  'https://lab.example:444/worker.js',
  'blob:https://elsewhere.example/5d1c9b6e-0000-4000-8000-000000000000',
  'data:text/javascript,1',
  'javascript:1',
  'https://',
])('%s is none', (address) => {
  expect(isOwnScript(address, PAGE)).toBe(false)
})
