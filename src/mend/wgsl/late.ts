/**
 * The same WGSL with some invocations held up behind each barrier: every other 32 of them, in the order in which they come. A kernel that
 * lacks a barrier may be right by luck where all run in step; where some are late it is not.
 */
import { tokensOf } from './tokens'

/** Operations on one word in global memory, some microseconds on a GPU: as long as it takes to bring some tiles. */
const OPERATIONS = 64
/** Of an invocation: a loop that does not end is as long as without. */
const BARRIERS = 64

/** @param store the variable of the store (store.ts) that `code` declares: its first word is used by no module with a barrier */
export function heldUp(code: string, store: string): string {
  const tokens = tokensOf(code)
  if (!tokens.ok) return code
  let text = ''
  let from = 0
  for (const [index, { text: name }] of tokens.value.entries()) {
    const behind = tokens.value[index + 3]
    if (name !== 'workgroupBarrier' || behind?.text !== ';') continue
    text += `${code.slice(from, behind.end)} ${store}Late();`
    from = behind.end
  }
  return `${text}${code.slice(from)}
var<private> ${store}Barriers = 0;
fn ${store}Late() {
  if (${store}Barriers == ${String(BARRIERS)}) { return; }
  ${store}Barriers += 1;
  let ticket = atomicAdd(&${store}.left, 1);
  if ((ticket / 32) % 2 == 0) { return; }
  for (var i = 0; i < ${String(OPERATIONS)}; i += 1) { atomicAdd(&${store}.left, 1); }
}
`
}
