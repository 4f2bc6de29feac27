import type { QuizItem } from '../lesson'

export const syncStallsQuiz: readonly QuizItem[] = [
  {
    id: 'why-four-bytes',
    question: 'Why can reading 4 bytes after every step leave the device idle most of the time?',
    options: [
      {
        text: 'While the host waits it submits nothing, and the queue runs dry.',
        correct: true,
        explanation:
          'The wait covers all the work queued before the copy, the copy and the word of its end. All that time no new work is on its way. The stall is a hole in the queue, not a slow transfer.',
      },
      {
        text: 'Small transfers are slow: a bus needs milliseconds to carry even a few bytes.',
        correct: false,
        explanation:
          'A bus takes microseconds for that. In lesson 1 the same gap appeared without a byte being read: what takes the time is waiting for the queue and hearing of its end.',
        misconception: 'M1',
      },
      {
        text: '`mapAsync()` halts the device for as long as the buffer is mapped.',
        correct: false,
        explanation:
          'Mapping concerns one buffer and the work that uses it. The device would go on with anything else in its queue. There is nothing else in it: that is the point.',
      },
      {
        text: 'The kernel runs slower when its result is about to be read.',
        correct: false,
        explanation:
          'A kernel does not know who will read. Compare the time of one matmul with and without reads in your own run: what changes is the space between passes.',
        misconception: 'M8',
      },
    ],
  },
  {
    id: 'why-long-kernels',
    question:
      'The same readback after every step that ruins 0.3 ms kernels costs 8 ms kernels only a little. Why?',
    options: [
      {
        text: 'Long kernels are asynchronous; short ones are over before they can be.',
        correct: false,
        explanation:
          'Both are submitted in the same way, and with a readback after each step neither has company in the queue. Asynchrony is not a property of a kernel that makes it fast.',
        misconception: 'M3',
      },
      {
        text: 'The device works on the next long kernel while the host reads the last one.',
        correct: false,
        explanation:
          'The next kernel is submitted only after the read, so the device has nothing to work on meanwhile. In the timeline the gap is there beside long passes as well.',
      },
      {
        text: 'With long kernels more bytes are read at once.',
        correct: false,
        explanation:
          'The read is 4 bytes either way. How many bytes are read does not depend on how long a kernel ran.',
        misconception: 'M1',
      },
      {
        text: 'A stall takes about the same time beside a long kernel: a small share.',
        correct: true,
        explanation:
          'The idle time of a stall is the way there and back, a fixed sum. What changes is what you divide it by. So advice such as *never call* `.item()` depends on how long your steps are.',
      },
    ],
  },
  {
    id: 'why-no-spinning',
    question:
      'To make the readback synchronous, you call `mapAsync()` and then loop until `readback.mapState` becomes `mapped`, without `await`. Why does the loop never end?',
    options: [
      {
        text: 'Because the loop runs on a processor core that the driver needs.',
        correct: false,
        explanation:
          'Even with a hundred idle cores it would not end. The copy gets done; what cannot happen is that your program is told.',
      },
      {
        text: 'The news of the mapping reaches your program as a task of the same thread, and that thread is in the loop.',
        correct: true,
        explanation:
          'Until your code returns to the event loop, nothing that the browser has to tell it can arrive. On the web a wait is something you return from, not something you sit in.',
      },
      {
        text: 'It does end, only later: spinning is a slow way of waiting.',
        correct: false,
        explanation:
          '`mapState` does not change under running code. Spinning works where another thread writes the memory that you look at; this state is written by a task of your own thread.',
        misconception: 'M2',
      },
      {
        text: 'Because synchronous readback needs a different function, one that waits before it returns.',
        correct: false,
        explanation:
          'There is none for buffers. A synchronous mapping for workers has been proposed since 2021 and is not part of WebGPU.',
        misconception: 'M2',
      },
    ],
  },
]
