import type { QuizItem } from '../lesson'

export const asyncSubmissionQuiz: readonly QuizItem[] = [
  {
    id: 'why-at-once',
    question: 'Why can `submit()` return long before the matmul is done?',
    options: [
      {
        text: 'It returns a promise, and JavaScript goes on until the promise settles.',
        correct: false,
        explanation:
          '`submit()` returns nothing at all. A promise is what you ask for separately, with `onSubmittedWorkDone()` or `mapAsync()`, when you want to hear of an end.',
      },
      {
        text: 'It starts a host thread that does the waiting in the background.',
        correct: false,
        explanation:
          'No thread of yours computes or waits. The work is done by the device; your thread has nothing more to do with it once it is handed over.',
      },
      {
        text: 'It puts recorded commands into a queue, and the device takes them from there.',
        correct: true,
        explanation:
          'Handing over is all that the call does. Host and device each go on at their own pace, and the queue between them holds what the host is ahead by.',
      },
      {
        text: 'The matmul was computed while you encoded it; `submit()` only publishes the result.',
        correct: false,
        explanation:
          'Encoding writes down what is to be done. Nothing runs on the device before the submission: look at the first pass in the timeline, it begins after the first submit.',
      },
    ],
  },
  {
    id: 'why-clock-misleads',
    question:
      'You read `performance.now()` right before and right after `submit()` and find 30 µs. The device computes for 2 ms. Why do the two differ?',
    options: [
      {
        text: 'The clock measured the handing over; the 2 ms pass on another machine.',
        correct: true,
        explanation:
          'A host clock times what the host did. To time the device, use its own timestamps; or wait for it on both sides and accept the cost of hearing.',
      },
      {
        text: 'The first run of a kernel is fast and the later ones slow down.',
        correct: false,
        explanation:
          'It is rather the other way round: first uses are slow, because pipelines compile and memory is touched for the first time. That is why the lab warms up.',
      },
      {
        text: 'The matmul really takes 30 µs, and the device timestamps include its time in the queue.',
        correct: false,
        explanation:
          'The device stamps the begin of a pass when it gets to it, not when you submitted; time in the queue is not part of it. Trusting the reading nearest at hand is the mistake here: ask which machine the clock belongs to.',
        misconception: 'M8',
      },
      {
        text: '`performance.now()` is rounded, so short times cannot be trusted.',
        correct: false,
        explanation:
          'It is rounded, to 5 µs or 100 µs in Chrome, but that cannot hide 2 ms. The reading is about right; it answers another question.',
      },
    ],
  },
  {
    id: 'why-idle',
    question:
      'In **await-each** the host does nothing but wait, reads not one byte back, and yet the device is idle between passes. Why?',
    options: [
      {
        text: 'Each result has to be copied back to the host before the next matmul may begin.',
        correct: false,
        explanation:
          'Nothing is copied here: the results stay on the device. The gap is there without a single byte read, so bytes cannot be its cause.',
        misconception: 'M1',
      },
      {
        text: 'When a pass ends, the queue is empty; the next work comes only after the host has heard of the end.',
        correct: true,
        explanation:
          'The gap is the way there and back: the end is noticed, word reaches your program, the next step is recorded, submitted and started. With work queued behind it, the device would not have noticed any of that.',
      },
      {
        text: '`await` holds the thread, so the browser cannot talk to the device meanwhile.',
        correct: false,
        explanation:
          '`await` holds nothing. The thread is free, which is why the host counts as free in both ways of running. An idle host does not stop a device; an empty queue does.',
        misconception: 'M2',
      },
      {
        text: 'The code with `await` is asynchronous, so it should be fast; the gap must be an error of the timeline.',
        correct: false,
        explanation:
          'The word `await` makes nothing overlap. What counts is how much is queued while you wait: with a wait after each step, nothing is.',
        misconception: 'M3',
      },
    ],
  },
]
