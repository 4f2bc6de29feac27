import { expect, it } from 'vitest'
import { parseHeaders } from './headers-file.mjs'

const headersOf = parseHeaders(`# a comment
/*
  X-One: 1
  X-Two: a: b; c
/assets/*
  X-One: 2
/page.html
  ! X-Two
  X-Three: 3
`)

it('gives each path what its rules say', () => {
  expect(headersOf('/')).toEqual({ 'x-one': '1', 'x-two': 'a: b; c' })
  expect(headersOf('/page.html')).toEqual({ 'x-one': '1', 'x-three': '3' })
  expect(headersOf('/other/page.html')).toEqual(headersOf('/'))
})

it('joins what two rules set, as hosts do', () =>
  expect(headersOf('/assets/a.js')).toMatchObject({ 'x-one': '1, 2' }))

it('refuses a file that a host would misread', () => {
  expect(() => parseHeaders('  X-One: 1')).toThrow('before any path')
  expect(() => parseHeaders('/*\n  X-One')('/')).toThrow('not a header')
})
