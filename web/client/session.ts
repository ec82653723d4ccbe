const PAGE = '/logout/';

/** Sends the form of the log-out page: the session ends, and the log-in page follows. Without its token, one sees the page. */
export async function postLogOut(): Promise<void> {
  const text = await fetch(PAGE, { credentials: 'same-origin', cache: 'no-store' }).then(
    (page) => page.text(),
    () => '',
  );
  const value = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(text)?.[1];
  if (value === undefined) return location.assign(PAGE);
  const form = document.createElement('form');
  form.method = 'post';
  form.action = PAGE;
  const token = document.createElement('input');
  token.type = 'hidden';
  token.name = 'csrfmiddlewaretoken';
  token.value = value;
  form.append(token);
  document.body.append(form);
  form.submit();
}

/** The log-in page that says why one is there. What stands behind # leads back after it. */
export function goToLogIn(reason: string): void {
  const page = reason === 'LOGGED_OUT' ? '/login/' : `/login/?ended=${encodeURIComponent(reason)}`;
  location.assign(page + location.hash);
}
