import { expect, it, vi } from 'vitest'
import { trustOwnScripts } from './trusted-scripts'

const PAGE = 'https://lab.example/some/where/#/device'

/** Returns the address of a worker as a browser with trusted types sees it. */
function trusted(address: string): string | null {
  const createPolicy =
    vi.fn<(name: string, rules: { createScriptURL: (url: string) => string | null }) => void>()
  vi.stubGlobal('trustedTypes', { createPolicy })
  trustOwnScripts(PAGE)
  vi.unstubAllGlobals()
  const [name, rules] = createPolicy.mock.lastCall ?? []
  expect(name).toBe('default')
  return rules?.createScriptURL(address) ?? null
}

it.each([
  './assets/worker-1.js',
  '/other/worker.js',
  'https://lab.example/assets/worker-1.js',
  'blob:https://lab.example/5d1c9b6e-0000-4000-8000-000000000000',
])('%s is a script of the site', (address) => expect(trusted(address)).toBe(address))

it.each([
  'https://elsewhere.example/worker.js',
  '//elsewhere.example/worker.js',
  'http://lab.example/worker.js',
  'https://lab.example:444/worker.js',
  'blob:https://elsewhere.example/5d1c9b6e-0000-4000-8000-000000000000',
  'data:text/javascript,1',
  'javascript:1',
  'https://',
])('%s is none', (address) => expect(trusted(address)).toBeNull())
