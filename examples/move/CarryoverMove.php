<?php

/**
 * Asks the core where a user signs in while users move to it: for Laravel's Fortify, or any PHP. It needs no package.
 * docs/guide/move-your-app.md shows its use.
 */
final class CarryoverMove
{
    private const TIMEOUT_SECONDS = 5;

    /**
     * @param string $core address of the core, such as http://127.0.0.1:3567, with the app's or tenant's path if there is one
     * @param string $apiKey one with the scope sign-in
     * @param string $memory a file that the app may write: it remembers how far the move is while the core does not answer
     */
    public function __construct(
        private string $core,
        #[\SensitiveParameter] private string $apiKey,
        private string $memory,
    ) {}

    /**
     * @param ?string $address the client's: the core limits wrong passwords by account and address
     * @param callable(): ?string $atOldSystem checks the password at the old system, and returns the user's id if it is right
     * @return ?string the user's id if the password is right, at the system that signs this user in
     * @throws RuntimeException if the core signs this user in and does not answer, or (code 429) saw too many wrong passwords
     */
    public function signIn(string $email, #[\SensitiveParameter] string $password, ?string $address, callable $atOldSystem): ?string
    {
        if ($this->where($email)['signIn'] === 'here') {
            return $this->here('/recipe/signin', $email, $password, $address);
        }
        $userId = $atOldSystem();
        $this->report($email, $userId !== null);
        return $userId;
    }

    /**
     * @param ?string $address the client's
     * @param callable(): ?string $atOldSystem makes the user at the old system
     * @return ?string the new user's id; null if the email is taken
     * @throws RuntimeException if the core takes sign-ups and does not answer: try again
     */
    public function signUp(string $email, #[\SensitiveParameter] string $password, ?string $address, callable $atOldSystem): ?string
    {
        return $this->where($email)['signUp'] === 'here'
            ? $this->here('/recipe/signup', $email, $password, $address)
            : $atOldSystem();
    }

    /**
     * Without an answer the old system signs in: until the move is closed it has what changes here within seconds. While users sign in
     * here, new ones wait: the old system may not have the last ones yet.
     */
    private function where(string $email): array
    {
        try {
            $answer = $this->ask('GET', '/move?email=' . rawurlencode($email));
        } catch (RuntimeException $error) {
            $last = @file_get_contents($this->memory);
            if ($last === 'CLOSED') {
                throw $error;
            }
            $isLeading = $last === 'IN_SHARE' || $last === 'NOT_IN_SHARE';
            return ['signIn' => 'old', 'signUp' => $isLeading ? 'here' : 'old', 'reason' => 'CORE_AWAY'];
        }
        if (@file_get_contents($this->memory) !== $answer['reason']) {
            file_put_contents($this->memory, $answer['reason'], LOCK_EX);
        }
        return $answer;
    }

    private function here(string $path, string $email, #[\SensitiveParameter] string $password, ?string $address): ?string
    {
        $answer = $this->ask('POST', $path, ['email' => $email, 'password' => $password], $address);
        return $answer['status'] === 'OK' ? $answer['user']['id'] : null;
    }

    /** Refusals at the core are compared with those at the old system. A lost report does not matter. */
    private function report(string $email, bool $isRight): void
    {
        try {
            $this->ask('POST', '/move/sign-ins', ['signIns' => [['email' => $email, 'isRight' => $isRight]]]);
        } catch (RuntimeException) {
        }
    }

    private function ask(string $method, string $path, #[\SensitiveParameter] ?array $body = null, ?string $address = null): array
    {
        $http = [
            'method' => $method,
            'header' => array_filter([
                "api-key: {$this->apiKey}",
                'connection: close',
                $address === null ? null : "carryover-client-address: $address",
            ]),
            'protocol_version' => 1.1,
            'timeout' => self::TIMEOUT_SECONDS,
            'ignore_errors' => true,
        ];
        if ($body !== null) {
            $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
        }
        $text = @file_get_contents($this->core . $path, false, stream_context_create(['http' => $http]));
        $status = $text === false ? '' : ($http_response_header[0] ?? '');
        if (!preg_match('{^HTTP/\S+ 200\b}', $status)) {
            $code = preg_match('{^HTTP/\S+ (\d+)}', $status, $found) ? (int) $found[1] : 503;
            throw new RuntimeException("The core did not answer $method " . strtok($path, '?') . ": $status", $code);
        }
        return json_decode($text, true, 32, JSON_THROW_ON_ERROR);
    }
}
