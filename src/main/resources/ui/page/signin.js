/** Signing in: with a token, or by the identity provider if there is one. */
import { html, useEffect, useState } from "../core/html.js";
import { signIn, waysToSignIn } from "../core/client.js";
import { useLoad, useTitle } from "../core/use.js";
import { Field } from "../widget/dialog.js";
import { Trouble } from "../widget/parts.js";

export default function SignIn({ onSignedIn }) {
  useTitle("Sign in");
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const ways = useLoad(waysToSignIn, "ways");
  useEffect(() => document.getElementById("token")?.focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await signIn(token.trim());
      onSignedIn();
    } catch (e) {
      setProblem(e);
      setBusy(false);
    }
  };
  const back = "/signin/oidc?return=" + encodeURIComponent("/" + location.hash);
  return html`<main class="signin">
    <h1>Sign in to Rowlock</h1>
    ${
      ways.data?.includes("OIDC")
      && html`<a class="button main" href=${back}>Sign in with your organisation</a>
      <p class="or">or with a token</p>`
    }
    <form onSubmit=${submit}>
      <input type="text" name="username" autocomplete="username" value="Rowlock" readOnly hidden />
      <${Field} id="token" label="Token" hint=${html`The token of the administrator is in the data directory of the
        first node: <code>cat data/admin.token</code>`}>
        <input id="token" type="password" autocomplete="current-password" required value=${token}
          aria-describedby="token-hint"
          onInput=${(e) => setToken(e.target.value)} />
      <//>
      <${Trouble} problem=${problem} />
      <button type="submit" class="main" disabled=${busy || token.trim() === ""}>Sign in</button>
    </form>
  </main>`;
}
