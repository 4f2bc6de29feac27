/** What became of a learner's code, in sentences. */
import type { MendCode } from '../../state/mend-code'

export const savingWords: Readonly<Record<MendCode['saving'], string>> = {
  kept: 'Kept on this device.',
  off: 'Not kept: this browser’s storage is blocked or full. Your code lasts as long as this page.',
  'too-large': 'Not kept: the code is longer than 64 KiB. Your code lasts as long as this page.',
  newer:
    'Not kept: a newer version of this site keeps its code here. Load the page again to get that version.',
}

export const KILLED =
  'The tab was closed by the browser while your program ran, most often because the program used too much memory. Your code is as you left it, and it has not run again.'
export const START_CHANGED =
  'The program to start from has changed since you wrote this. Your code is as you left it.'
export const ELSEWHERE = 'This program was changed in another tab.'
