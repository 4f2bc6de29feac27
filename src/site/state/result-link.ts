/**
 * What a run came to as text for an address: where and when it was measured, its verdict, and the figure of the headline. Its settings stand
 * beside it in the query as any settings do. The text is one digit (its version), eight of checksum, the data; all of it lies behind the
 * `#`, which no browser sends to a server. Like every link it may have been cut, changed, or written by anyone. Pure.
 */
import * as v from 'valibot'
import { fnv1a } from '../../base/fnv'
import { fail, succeed, type Result } from '../../base/result'
import { metricShape } from '../../trace/file-shape'
import { VERDICT_OUTCOMES, type Metric, type Report } from '../../trace/report'

export interface SharedResult {
  readonly adapterName: string
  readonly startedAt: string
  readonly outcome: Report['verdict']['outcome']
  /** The verdict in words, as the sender's page had them. */
  readonly text: string
  /** The headline's; null where the run has none of that name. */
  readonly metric: Metric | null
}

const VERSION = '1'
const CHECK_CHARACTERS = 8

const shape: v.GenericSchema<unknown, SharedResult> = v.object({
  adapterName: v.string(),
  startedAt: v.string(),
  outcome: v.picklist(VERDICT_OUTCOMES),
  text: v.string(),
  metric: v.nullable(metricShape),
})

const checkOf = (data: string): string => fnv1a(data).toString(16).padStart(CHECK_CHARACTERS, '0')

export const sharedResult = (
  { environment, startedAt, verdict }: Pick<Report, 'environment' | 'startedAt' | 'verdict'>,
  metric: Metric | undefined,
): SharedResult => ({
  adapterName: environment.adapterName,
  startedAt,
  outcome: verdict.outcome,
  text: verdict.text,
  metric: metric ?? null,
})

export function resultText(result: SharedResult): string {
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  // base64url without padding (RFC 4648 §5): an address takes it as it is.
  const data = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return VERSION + checkOf(data) + data
}

/** Never throws. The error is a sentence. */
export function readResult(text: string): Result<SharedResult, string> {
  const damaged = (what: string) => fail(`The link is damaged: ${what}. Ask for it anew, or for the file.`)
  if (/^[2-9]/.test(text))
    return fail('The link is of a later version than this page. Reload the page for a newer lab.')
  const data = text.slice(1 + CHECK_CHARACTERS)
  if (text.slice(0, 1 + CHECK_CHARACTERS) !== VERSION + checkOf(data))
    return damaged('it was cut or changed on its way')
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'))
    const read: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
    )
    const { success, output } = v.safeParse(shape, read)
    return success ? succeed(output) : damaged('it holds no result')
  } catch {
    return damaged('it cannot be read')
  }
}
