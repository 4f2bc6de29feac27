import type { QuizItem } from '../lesson'

export const kernelLadderQuiz: readonly QuizItem[] = [
  {
    id: 'why-so-little',
    question:
      'A kernel that is eight times as fast makes a step with transfers hardly shorter. Why so little?',
    options: [
      {
        text: 'The device slows its clock while bytes are on their way, and the kernel with it.',
        correct: false,
        explanation:
          'Look at the time of one matmul with and without transfers: the device timed both. The kernel stays fast. It has become a small part of something long.',
        misconception: 'M8',
      },
      {
        text: 'Only the kernel’s own part of the step became shorter.',
        correct: true,
        explanation:
          'What is not the kernel takes as long as before. If a tenth of a step is the kernel, a kernel that takes no time saves a tenth and no more. That is all that Amdahl’s law says.',
      },
      {
        text: 'A faster kernel asks for its data faster, and the uploads cannot keep up with it.',
        correct: false,
        explanation:
          'The kernel begins when its upload has been copied, and reads device memory only. It cannot pull bytes across the bus faster or slower. In the timeline the two do not even overlap.',
      },
      {
        text: 'The transfers are asynchronous, so they take the time that the kernel has freed.',
        correct: false,
        explanation:
          'Asynchronous means that the host need not stand still; it makes nothing longer or shorter. The transfers take what they took before, as the run without a kernel shows.',
        misconception: 'M3',
      },
    ],
  },
  {
    id: 'why-not-everywhere',
    question:
      'Sharing tiles in workgroup memory is a textbook step up, and yet on some adapters the tiled kernel is slower than the naive one. Why?',
    options: [
      {
        text: 'The workgroup was too small there: with 256 threads or more it would be faster on every adapter.',
        correct: false,
        explanation:
          'No size is best everywhere. What a workgroup may hold, how many run at once and what a barrier costs all differ, which is why the lab tries several sizes on the device at hand.',
        misconception: 'M7',
      },
      {
        text: 'The timestamps count the barriers twice, so the kernel only seems slower.',
        correct: false,
        explanation:
          'A timestamp marks the begin and the end of a pass, nothing in between. A barrier costs what it costs, and the host’s clock says the same.',
        misconception: 'M8',
      },
      {
        text: 'Workgroup memory pays where it is faster than what the caches give anyway.',
        correct: true,
        explanation:
          'On a GPU it is a small memory beside the arithmetic. On a software adapter it is ordinary memory behind the same caches, so the copy into it and the barriers are added work. The idea is sound; whether it pays is a question to the device.',
      },
    ],
  },
  {
    id: 'why-larger',
    question:
      'With matrices twice as wide, the kernel is a larger share of a step that uploads A and B and reads C back. Why?',
    options: [
      {
        text: 'The work has grown eightfold, the bytes only fourfold.',
        correct: true,
        explanation:
          'Multiplications grow with the cube of n, entries with its square: each byte that is moved is used in twice as many of them. This ratio, work for each byte, is the horizontal axis of the roofline.',
      },
      {
        text: 'Large transfers are so much faster that what is left of the step is mostly the kernel.',
        correct: false,
        explanation:
          'A larger transfer may reach a somewhat better rate, but four times the bytes still take longer than before. The share shifts because the work grows faster than the bytes do.',
        misconception: 'M1',
      },
      {
        text: 'The queue holds more work then, so the transfers hide behind the kernel of the step before.',
        correct: false,
        explanation:
          'Here every step waits for its own result, so there is nothing to hide behind. Overlap needs more than one buffer and a host that does not wait: that was lesson 3.',
        misconception: 'M3',
      },
    ],
  },
]
