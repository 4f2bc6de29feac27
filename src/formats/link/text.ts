/**
 * A small run as text for an address: the own format in few bytes (link/compact.ts), deflated, in the 64 letters that an address takes as
 * they are. The text is one digit (the TRACE_VERSION that wrote it: an older link is upgraded as an older file is), six letters of
 * checksum, the data. It lies behind the `#`, which no browser sends to a server.
 */
import { fnv1a } from '../../base/fnv'
import { fail, type Result } from '../../base/result'
import { check, OverBudget, tooLarge } from '../../trace/budget'
import { decodeRun, encodeRun, type BadFile, type SavedRun } from '../../trace/codec'
import { readFile, writeFile } from '../../trace/file-layout'
import { deflateBytes, inflateBytes } from '../../trace/gzip'
import { TRACE_VERSION } from '../../trace/schema'
import { compactFile, expandFile } from './compact'

const CHECK_CHARACTERS = 6

/** The run as text, however long. */
export async function runLinkText(run: SavedRun): Promise<string> {
  const file = readFile(encodeRun(run))
  if (!file.ok) throw new Error(file.error.message) // what was encoded can be read
  const data = toLetters(await deflateBytes(compactFile(file.value.file)))
  return `${String(file.value.version)}${checksum(data)}${data}`
}

type BadLink = Pick<BadFile, 'code' | 'message'>

/** Never throws: a link may have been cut, changed, or written by anyone. */
export async function openRunLink(text: string): Promise<Result<SavedRun, BadLink>> {
  const damaged = (what: string): Result<never, BadLink> =>
    fail({ code: 'damaged', message: `The link is damaged: ${what}. Ask for it anew, or for the file.` })
  if (text === '') return damaged('it holds no run')
  try {
    check('linkCharacters', text.length)
    return await open(text, damaged)
  } catch (thrown) {
    if (thrown instanceof OverBudget)
      return fail({ code: 'too-large', message: tooLarge('The link', thrown) })
    return damaged(thrown instanceof Error ? thrown.message.replace(/\.$/, '') : 'it cannot be read')
  }
}

/** Throws OverBudget, or what says in a few words how it is damaged. */
async function open(
  text: string,
  damaged: (what: string) => Result<never, BadLink>,
): Promise<Result<SavedRun, BadLink>> {
  const version = /^[1-9]/.test(text) ? Number(text[0]) : 0
  if (version === 0) return damaged('it does not begin as a link of the lab does')
  if (version > TRACE_VERSION)
    return fail({
      code: 'too-new',
      message: 'The link is of a later version than this page. Reload the page for a newer lab.',
    })
  const data = text.slice(1 + CHECK_CHARACTERS)
  if (checksum(data) !== text.slice(1, 1 + CHECK_CHARACTERS))
    return damaged('it was cut or changed on its way')
  const bytes = fromLetters(data)
  if (!bytes) return damaged('it holds letters that no link has')
  const file = expandFile(await inflateBytes(bytes))
  const run = await decodeRun(writeFile(version, file), { origin: 'imported' })
  if (run.ok) return run
  const { code, message } = run.error
  if (code === 'too-large') return fail({ code, message: message.replace(/^The file/, 'The link') })
  return damaged(message.replace(/^The file is damaged: |\.$/g, ''))
}

/** base64url without padding (RFC 4648 §5). */
function toLetters(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromLetters(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0))
}

/** 32 bits in six letters: notices a cut or a changed letter, no more is asked. */
function checksum(text: string): string {
  const bits = fnv1a(text)
  return toLetters(Uint8Array.of(bits >>> 24, bits >>> 16, bits >>> 8, bits)).slice(0, CHECK_CHARACTERS)
}
