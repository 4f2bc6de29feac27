import { expect, it } from 'vitest'
import { librariesArguments } from './libraries-arguments'

it('takes all pages on a GPU where nothing is said', () => {
  expect(librariesArguments([])).toMatchObject({
    adapter: 'gpu',
    names: ['three', 'playcanvas', 'tensorflow', 'jax'],
    query: '',
    build: false,
    prebuilt: false,
  })
})

it('draws into a texture where asked to, and on software always', () => {
  expect(librariesArguments(['--texture']).query).toBe('?texture')
  expect(librariesArguments(['--adapter', 'software']).query).toBe('?texture')
})

it.each([
  [['--adapter', 'auto'], '--adapter must be gpu or software'],
  [['--only', 'three,babylon'], "got 'babylon'"],
  [['--quick'], '--quick'],
])('refuses %j', (argv, message) => {
  expect(() => librariesArguments(argv)).toThrow(message)
})
