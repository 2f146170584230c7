/**
 * For what is read again before it was answered: the answers overtake each other. Call what this returns with each question; it
 * returns a function that takes the answer, unless that of a later question was taken.
 */
export function takeLatest<T>(take: (answer: T) => void): () => (answer: T) => void {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const own = asked;
    return (answer) => {
      if (own < taken) return;
      taken = own;
      take(answer);
    };
  };
}
