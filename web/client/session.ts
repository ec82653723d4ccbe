const PAGE = '/logout/';

/**
 * Submits the form of the log-out page, which ends the session and redirects to the log-in page. Without the form's
 * token, shows the log-out page.
 */
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

/** Opens the log-in page with the reason. The fragment of the address leads back after logging in. */
export function goToLogIn(reason: string): void {
  const page = reason === 'LOGGED_OUT' ? '/login/' : `/login/?ended=${encodeURIComponent(reason)}`;
  location.assign(page + location.hash);
}
